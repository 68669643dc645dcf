// Package compiled is the front of the native engine: it makes the text of a Go package from each part of a cell, and has the
// Go compiler make an object file of it, which the worker links into itself with package loader.
//
// A [Session] gets the same checked parts as package lower's and writes plain Go. A [Builder] turns
// the text into object files, by the compiler and the export data of package kit. The path of a package is a hash of its text
// and of all that it is compiled with, so that the same cell is not compiled again in a session.
//
// # The text of a cell
//
// Each part is a package of its own. It is called main, so that its types have the names that the user expects, and has a
// path made of the hash. Later cells import it, so that a type is the same type everywhere. Within one session, then, names that are not exported must be reached from
// other packages, and that is what most of the rewriting is about:
//
//   - a variable x is Vǃx, a function f is Fǃf, a type T has the alias TǃT besides its own name;
//   - methods that are not exported have names that are: area is 𝐌ǃarea, in interfaces too (rt.HiddenMethod);
//   - fields that are not exported are reached through a mirror, a struct type of the text with the same fields, to which a
//     pointer is converted; a composite literal is one of the mirror and is converted back;
//   - constants are their values;
//   - a struct type without a name that has such fields is named once and used under that name from then on.
//
// # Declaring again
//
// A function f is three functions: Fǃf is its code, called directly, and so inlined where Go inlines it; Hǃf is what
// values of f are and what function literals call: it asks the variable Wǃf for a later form of f, and calls that or Fǃf.
// When f is declared again, all functions that call it are written again too, into the new cell's package, and the
// variable W that their older forms share, as long as parameters and results are the same, is set. Methods have the same three: the method itself is H.
// The W of a generic function is a table of the later forms of its instances, which the newest package fills for all that the session's code may
// have made.
//
// A type that gets a method in a later cell is written again there, with all its methods and with all types and functions
// that were made with it. Its memory layout is the same, so that variables of older cells are looked at through a
// converted pointer. Only what an interface holds keeps the older form.
package compiled
