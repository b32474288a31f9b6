/** The rules of ruff for Python blocks: those about certain mistakes, and none about style. */
import type { Severity } from '../text/diagnostic.ts'

interface PythonRule {
  readonly severity: Severity
  /** One sentence for the reference page. */
  readonly doc: string
}

/** The rules by diagnostic code: ruff's code in lower case after `python-`. */
export const pythonRules: Readonly<Record<string, PythonRule>> = {
  'python-b006': { severity: 'warning', doc: 'A default that every call shares, such as `def f(rows=[])`.' },
  'python-b023': { severity: 'warning', doc: 'A function made in a loop uses the variable of the loop.' },
  'python-f401': { severity: 'hint', doc: 'An import that nothing uses.' },
  'python-f402': { severity: 'warning', doc: 'A loop takes the name of an import.' },
  'python-f403': { severity: 'warning', doc: '`from x import *`, which hides where names come from.' },
  'python-f405': { severity: 'warning', doc: 'A name that at most `import *` can have brought.' },
  'python-f507': { severity: 'error', doc: 'A `%` format with more or fewer places than values.' },
  'python-f524': { severity: 'error', doc: 'A `format()` without a value for one of its places.' },
  'python-f541': { severity: 'hint', doc: 'An f-string without anything to fill in.' },
  'python-f632': { severity: 'error', doc: '`is` with a literal, where `==` is meant.' },
  'python-f634': { severity: 'error', doc: 'A condition that is a tuple and so always true.' },
  'python-f704': { severity: 'error', doc: '`yield` or `await` outside a function.' },
  'python-f706': { severity: 'error', doc: '`return` outside a function.' },
  'python-f811': { severity: 'warning', doc: 'A name is defined twice and not used in between.' },
  'python-f821': { severity: 'error', doc: 'A name that is not defined.' },
  'python-f823': { severity: 'error', doc: 'A local variable is used before it has a value.' },
  'python-f841': { severity: 'hint', doc: 'A variable that nothing uses.' },
}

export const pythonSyntaxRule = { code: 'python-syntax', severity: 'error' } as const

/** The rules as ruff names them: `F401`. */
export const ruffRules: readonly string[] = Object.keys(pythonRules).map(code =>
  code.slice('python-'.length).toUpperCase(),
)
