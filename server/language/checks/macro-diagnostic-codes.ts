/** Codes of the diagnostics of macros, in their files and where they are called. */
import type { DiagnosticCode } from './diagnostic-code.ts'

export const macroCodes: readonly DiagnosticCode[] = [
  {
    code: 'macro-arguments',
    severity: 'error',
    doc: 'A call of a macro has too few or too many arguments, or names a parameter that it does not have.',
  },
  {
    code: 'macro-cycle',
    severity: 'error',
    doc: 'A macro calls itself, directly or through others.',
  },
  {
    code: 'macro-duplicate',
    severity: 'error',
    doc: 'Two macros have the same name, in one file or in two.',
  },
  {
    code: 'macro-reserved-name',
    severity: 'error',
    doc: 'A macro has the name of one of the tags of svc, such as `ref` or `source`.',
  },
  {
    code: 'macro-syntax',
    severity: 'error',
    doc: 'A file in `macros/` holds something other than `CREATE MACRO name(…) AS …;`, or its SQL cannot be read.',
  },
  {
    code: 'macro-too-long',
    severity: 'error',
    doc: 'The macros of an asset unfold to more than a million characters of SQL.',
  },
  {
    code: 'macro-unused-parameter',
    severity: 'hint',
    doc: 'A macro does not use one of its parameters.',
  },
  {
    code: 'unknown-macro',
    severity: 'error',
    doc: 'A call in `{{ }}` names no macro of `macros/` and no tag of svc.',
  },
]
