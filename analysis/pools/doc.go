// Package pools finds the thread pools of a program: threads with the same function form one (Tarvo & Reiss
// 2014, §4.1), however they were started; and who starts and awaits them.
package pools
