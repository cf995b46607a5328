module homemade

go 1.26
