/** A string of JavaScript with what may stand before it: the call of a test, the end of its cases, the words of a line. */
const named =
  /(?:\b(?:it|test|describe|describeEngines)(?:\.\w+)*\(\s*|\)\(\s*|\bwords: )(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** A case of a table: the first string of a row. */
const cases = /^\s*\[\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/gm

/** The names of the tests in the text of a file; in a table of cases in Markdown, its headings. */
export function titlesOf(file: string, text: string): readonly string[] {
  if (file.endsWith('.md')) return [...text.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) => title)
  return [...text.matchAll(named), ...text.matchAll(cases)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replace(/\\(['"`\\])/g, '$1'),
  )
}
