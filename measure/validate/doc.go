// Package validate asks whether a model matches what was measured, as four
// questions that one number would blur (Tarvo & Reiss 2014, §5: a mean error of
// 0.012 for throughput hides that it is 0.027 where the server is saturated):
//
//	level       the signed error ε of every configuration and metric
//	saturation  the same where the system cannot keep up, where it is hard
//	knee        where it tips over: predicted and measured position
//	blame       which fragment or resource the error comes from
//
// ε = (predicted − measured) / measured of means; for utilizations, which are
// fractions already, ε is the difference in points. The answer is a Report: all
// texts that a screen or a terminal shows are made here.
package validate
