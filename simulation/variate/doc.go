// Package variate generates random variates from the distributions of a model
// (Law & Kelton, 3rd ed., ch. 8): it compiles a core.Distribution into a
// Sampler, which draws without allocation from a des.Stream.
//
//	core.Distribution{Kind: "exponential", Mean: 0.004}  →  0.004·Exponential()
//	core.Distribution{Kind: "discrete", …}               →  one step of the alias method
//	core.Distribution{Kind: "empirical", …}              →  inverse of the quantile sketch with a guide table
package variate
