// Package table holds measurements: numbers seen in runs of a real program in
// known configurations, whoever measured them.
//
// The file format is CSV in long form, one row per run and metric:
//
//	# machine: Intel Xeon, 2 CPUs, Linux 6.18
//	run,scenario,workers,GOMAXPROCS,metric,of,stat,value,lo,hi,n,unit,flags
//	r1c3,,4,2,T,program,mean,0.8512,,,1,s,
//	r1c3,,4,2,U,cpu,mean,0.981,,,1,1,
//
// The columns between scenario and metric are parameters. Values are in base
// SI units: seconds, per second, fractions. Comment lines carry the provenance.
//
// Read takes any other CSV through a Mapping, which says what each column is;
// Guess proposes one from the header. Configurations gathers the repetitions of a
// configuration into medians with intervals.
package table
