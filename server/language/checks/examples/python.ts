import { type DiagnosticExample, type DiagnosticExamples, inOrders } from './example.ts'

function python(code: string, fix: string): DiagnosticExample {
  const block = code.replace(/^(?=.)/gm, '    ')
  return inOrders(`name: orders\ningest: none\ntransform:\n  python: |\n${block}\n`, undefined, fix)
}

const head = 'def transform(svc):\n'

/** Runs do not take Python yet, so each of these has the problem `not-built-yet` too. */
export const pythonExamples: DiagnosticExamples = {
  'python-transform': python('rows = 1', 'Define `def transform(svc):` at the start of a line.'),
  'python-syntax': python(`${head}    return 1 +`, 'Look at the marked place and the line above it.'),
  'python-b006': python(
    'def add(row, rows=[]):\n    rows.append(row)\n    return rows\n\ndef transform(svc):\n    return add(1)',
    'Use `None` as default, and make the list inside the function.',
  ),
  'python-b023': python(
    `${head}    makers = []\n    for n in range(3):\n        makers.append(lambda: n)\n    return [make() for make in makers]`,
    'Pass the variable as a default: `lambda n=n: n`.',
  ),
  'python-f401': python(`import os\n\n${head}    return 1`, 'Remove the import.'),
  'python-f402': python(
    `import os\n\n${head}    for os in ["linux"]:\n        print(os)\n    return 1`,
    'Give the loop variable another name.',
  ),
  'python-f403': python(`from math import *\n\n${head}    return 1`, 'Import the names that you use.'),
  'python-f405': python(`from math import *\n\n${head}    return sqrt(4)`, 'Import the names that you use.'),
  'python-f507': python(`${head}    return "%s %s" % (1,)`, 'Give one value for each place.'),
  'python-f524': python(`${head}    return "{} {}".format(1)`, 'Give one value for each place.'),
  'python-f541': python(`${head}    return f"total"`, 'Remove the `f`, or fill something in.'),
  'python-f632': python(`${head}    return svc is "a"`, 'Compare with `==`.'),
  'python-f634': python(
    `${head}    if (svc, "rows"):\n        return 1\n    return 2`,
    'Remove the brackets, or write what is to be tested.',
  ),
  'python-f704': python(`yield 1\n\n${head}    return 1`, 'Move it into the function.'),
  'python-f706': python(`return 1\n\n${head}    return 1`, 'Move it into the function.'),
  'python-f811': python(
    `import os\nimport os\n\n${head}    return os.name`,
    'Remove one of the two definitions, or rename it.',
  ),
  'python-f821': python(`${head}    return rows`, 'Define the name, import it, or correct it.'),
  'python-f823': python(
    `rows = 1\n\n${head}    print(rows)\n    rows = 2\n    return rows`,
    'Set the variable before it is used, or name the local one differently.',
  ),
  'python-f841': python(`${head}    total = 1\n    return 2`, 'Use the variable, or remove it.'),
}
