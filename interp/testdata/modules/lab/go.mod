module lab

go 1.26.0

require (
	example.org/shapes v1.2.0
	example.org/trouble v0.1.0
)

replace example.org/shapes => ../shapes

replace example.org/trouble => ../trouble
