package analysis

// BuildBy is Build by given passes, for tests of the list.
var BuildBy = buildBy

// Apply runs one pass, for the same.
var Apply = apply
