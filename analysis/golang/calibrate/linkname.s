// With a file of this kind in the package, functions without a body are allowed.
