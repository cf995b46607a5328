// Package assemble turns counted graphs and what is known of their resources into a core.Model (Tarvo & Reiss
// 2014, §4.4).
package assemble
