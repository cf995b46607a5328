// Package accuracy keeps what is known of the errors of predictions, and makes the
// tables of docs of it.
//
// A result file holds what one subject was predicted and measured to do, with the
// machine, the load, the commit and the command. Whatever is not known of where a
// number comes from is null in the file and "–" in the tables. Pages are written by
// hand but for the parts between
//
//	<!-- generated: errors go -->
//	<!-- end of the generated part -->
//
// which Fill writes anew from the files: the words name a table and what is in it.
//
//	errors AREA    a line per subject and quantity: mean and worst error
//	values AREA    a line per row of the files, with the goal
//	sizes AREA     a line per subject: the size and the cost of its model
//	runs AREA      a line per subject: machine, load, commit, command, date, repeats
//	errors+runs AREA   both in one table
//	summary        a line per measure of summary.json: ours, the papers', the goal
//	grades         whether the grades of models keep what they promise
//	intervals      programs by grade: whether intervals learned of all others contain their times
package accuracy
