/** The names of the tests in the text of a file. */

/** A string of JavaScript with what may stand before it: the call of a test, the end of its cases, the words of a line. */
const named =
  /(?:\b(?:it|test|describe|describeEngines)(?:\.\w+)*\(\s*|\)\(\s*|\bwords: )(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** A case of a table: the first string of a row. */
const cases = /^\s*\[\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/gm

export function titlesOf(text: string): readonly string[] {
  return [...text.matchAll(named), ...text.matchAll(cases)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replace(/\\(['"`\\])/g, '$1'),
  )
}
