// Package factor finds latent dependencies between the modules of a program
// from prolongation runs: delay one module at a time, see which others become
// slower with it, and group them by common factors (Mangold et al. 2010).
//
// The input is a table of observations: one row per run, one column per
// module, the cell being how long the module took. The steps are
//
//	Center         take each run's median change out: load from outside moves all modules alike
//	Correlation    of the modules over the runs
//	ParallelAnalysis  how many factors there are
//	Extract        loadings by principal axes, minimum residuals or maximum likelihood
//	Varimax, Promax   rotate them to a simple structure
//	Sensitivities  how much longer module j takes for each second put into module i
//	Dependencies   pairs of modules that both show, with what carries them
//
// Factors group modules; sensitivities say who acts on whom, and how much. An
// Experiment holds the runs, real ones of a program or virtual ones of its
// model, and Analyse does all of the above.
// The package imports nothing of Tierscope but the median.
package factor
