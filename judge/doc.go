// Package judge holds a new model against a few more runs of its program, before anybody relies on it.
//
// A model is made of one recorded run; what the program does with other numbers of cores and threads it does not show.
// So the program runs some more times, without probes: as it was recorded, on one core, and with another number of
// threads; a server under another load. The model predicts the same runs, by its graphs and as recorded:
//
//	analysed project ──Record──▶ analysis/checks/NAME.csv ──compare──▶ checks ──▶ trust.Trust
//
// Before that the settings are tried of which one run does not show what they change (inputs.Try): what they drive is offered
// as a parameter if it is what two further runs took.
//
// What the runs decide is decided by them: whether a pool's threads share a fixed amount of work or each bring
// their own (Study). What is left is the error of the model where nobody has fitted it, and the grade is no better than
// that.
package judge
