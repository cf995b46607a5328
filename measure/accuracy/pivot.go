package accuracy

import "slices"

// pivotTable has a line for every result of an area, or for every configuration of a result that has several, and a
// column for every quantity, in the order in which they come first: the error of what was predicted beside a
// column of what was measured, and what was only measured.
func (b *Book) pivotTable(area string) string {
	results := b.area(area)
	var quantities []string
	predicted := false
	for _, r := range results {
		for _, q := range r.quantities() {
			if !slices.Contains(quantities, q) {
				quantities = append(quantities, q)
			}
		}
		predicted = predicted || slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Error != nil })
	}
	columns := []string{"subject"}
	if predicted {
		columns = append(columns, ">measured")
	}
	for _, q := range quantities {
		columns = append(columns, ">"+q)
	}
	t := newTable(columns...)
	for _, r := range results {
		of := map[string][]Row{}
		var configurations []string
		for _, row := range r.Rows {
			if of[row.Configuration] == nil {
				configurations = append(configurations, row.Configuration)
			}
			of[row.Configuration] = append(of[row.Configuration], row)
		}
		for _, c := range configurations {
			cells := []string{r.Title}
			if len(configurations) > 1 {
				cells[0] = c
			}
			if predicted {
				cells = append(cells, value(of[c][0].Measured, of[c][0].Unit))
			}
			for _, q := range quantities {
				cells = append(cells, cellOf(of[c], q))
			}
			t.row(cells...)
		}
	}
	return t.String()
}

// cellOf is the error of a quantity, or its value.
func cellOf(rows []Row, quantity string) string {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Quantity == quantity })
	switch {
	case i < 0:
		return unknown
	case rows[i].Error != nil:
		return signed(*rows[i].Error, rows[i].inPoints())
	}
	return value(rows[i].Measured, rows[i].Unit)
}
