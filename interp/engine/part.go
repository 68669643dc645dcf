package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"gaucho/interp/modules"
)

// A Part is a piece of a cell that was type-checked as one: declarations that take effect together when it starts, and
// statements that run in order.
type Part struct {
	Cell  int            // number of the cell, unique in the session; positions print as "Cell [Number]"
	Fset  *token.FileSet // positions of the syntax, already in cell coordinates (file name "c<Cell>", line, column)
	Pkg   *types.Package // the one package of the session
	Info  *types.Info
	Types []*ast.TypeSpec
	Funcs []*ast.FuncDecl // functions and methods declared here; methods of generic and of local types
	// Methods maps a function declared here in the plain form (receiver as first parameter, a name such as "PǃM") to the
	// method object that it implements, for methods of non-generic types that earlier parts declared. The object may be
	// one that an earlier part implemented: then this is a new body for it, which earlier callers, method values and
	// boxes must reach. In a part that has such methods the part's own types may be checked in the same way.
	Methods map[*ast.FuncDecl]*types.Func
	// Ctx is the session variable ctx, of type context.Context: a use of it is a call of rt.Ctx(). It is never assigned.
	Ctx *types.Var
	// Shown is the session's function by which a part takes what a cell has shown: a use of it is rt.Out.
	Shown *types.Var
	Body  []Chunk
	// Keeps maps a variable declared here to the earlier one of identical type whose storage it takes over.
	Keeps map[*types.Var]*types.Var
	// Hides maps a variable declared here to the earlier one of that name and another type.
	Hides map[*types.Var]*types.Var
	// Replaces maps a function declared here to the earlier one of the same signature, whose callers it takes over.
	Replaces map[*types.Func]*types.Func
	// Show is the number of chunks at the end of Body that are expressions (*ast.ExprStmt) whose values, all together, are
	// the cell's result; a call with several results, as the only one, gives them all.
	Show    int
	Program bool // a whole program: no notebook semantics
	// Modules are the paths of the packages of modules that the cell or program imports, whether or not it uses them.
	Modules []string
	// Import is a package of a module that is to be initialised, nil for none. A part that has one has nothing else.
	Import *modules.Package
	At     token.Pos // of the import
}

// A Chunk is one top-level statement of a cell: a variable or constant declaration, an assignment that declares, or any
// other statement.
type Chunk struct {
	// Var is set for var declarations and for := of the top level (checked as a package variable): names and values.
	Var *ast.ValueSpec
	// Stmt is set for all other statements.
	Stmt ast.Stmt
	// Declares are the variables that come into being when the chunk has finished.
	Declares []*types.Var
}
