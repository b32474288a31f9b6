import { type DiagnosticExample, type DiagnosticExamples, model } from './example.ts'

/** An example of a file of macros and an asset that calls one. */
function inMacros(text: string, fixed: string, fix: string, call = 'cents(199)'): DiagnosticExample {
  const orders = model(`SELECT {{ ${call} }} AS price`)
  return { files: { 'macros/money.sql': text, 'models/orders.svc': orders }, fixed, fix }
}

const cents = 'CREATE MACRO cents(amount) AS amount / 100.0;\n'

/** An example of an asset that calls a macro. */
function inCall(sql: string, fixed: string, fix: string): DiagnosticExample {
  return { files: { 'models/orders.svc': model(sql), 'macros/money.sql': cents }, fixed: model(fixed), fix }
}

export const macroExamples: DiagnosticExamples = {
  'macro-arguments': inCall(
    'SELECT {{ cents(199, 2) }} AS price',
    'SELECT {{ cents(199) }} AS price',
    'Give a value for each parameter that has no default, in the order of the definition or by name (`digits := 2`).',
  ),
  'macro-cycle': inMacros(
    'CREATE MACRO cents(amount) AS {{ price(amount) }} / 100.0;\nCREATE MACRO price(amount) AS {{ cents(amount) }} * 100;\n',
    cents,
    'Take one of the calls out of the circle. A macro is written out where it is called, so it cannot call itself.',
  ),
  'macro-duplicate': inMacros(
    `${cents}CREATE MACRO cents(amount) AS amount / 100;\n`,
    cents,
    'Rename one of the two, and the calls that mean it. Macros share one set of names in all files, in any case.',
  ),
  'macro-reserved-name': inMacros(
    `${cents}CREATE MACRO source(amount) AS amount / 100;\n`,
    `${cents}CREATE MACRO source_amount(amount) AS amount / 100;\n`,
    'Give the macro another name: `source`, `ref`, `this`, `var`, `window` and `target` belong to svc.',
  ),
  'macro-syntax': inMacros(
    'CREATE MACRO cents(amount) amount / 100.0;\n',
    cents,
    'Write `CREATE MACRO name(a, b := 1) AS expression;` or `… AS TABLE SELECT …;`, each with a semicolon behind it.',
  ),
  'macro-too-long': {
    files: {},
    fix: 'Give an intermediate result an asset of its own: a macro that calls another twice doubles its length at each level.',
  },
  'macro-unused-parameter': inMacros(
    'CREATE MACRO cents(amount, digits := 2) AS amount / 100.0;\n',
    'CREATE MACRO cents(amount, digits := 2) AS round(amount / 100.0, digits);\n',
    'Use the parameter, or take it out of the definition and of all calls.',
  ),
  'unknown-macro': inCall(
    'SELECT {{ cent(199) }} AS price',
    'SELECT {{ cents(199) }} AS price',
    'Correct the name, or define the macro in a file of `macros/`.',
  ),
}
