/** Lists the examples of all diagnostic codes. A test compares them with the codes, and tries each. */
import type { DiagnosticExample, DiagnosticExamples } from './example.ts'
import { glossaryExamples } from './glossary.ts'
import { macroExamples } from './macros.ts'
import { projectExamples } from './project.ts'
import { pythonExamples } from './python.ts'
import { schemaExamples } from './schema.ts'
import { sourceExamples } from './sources.ts'
import { sqlExamples } from './sql.ts'
import { syntaxExamples } from './syntax.ts'
import { unitExamples } from './unit.ts'

export type { DiagnosticExample } from './example.ts'

export const diagnosticExamples: DiagnosticExamples = {
  ...syntaxExamples,
  ...schemaExamples,
  ...projectExamples,
  ...sourceExamples,
  ...sqlExamples,
  ...macroExamples,
  ...pythonExamples,
  ...unitExamples,
  ...glossaryExamples,
}

export function exampleOf(code: string): DiagnosticExample | undefined {
  return Object.hasOwn(diagnosticExamples, code) ? diagnosticExamples[code] : undefined
}
