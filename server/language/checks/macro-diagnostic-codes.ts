/** Codes of the diagnostics of macros, in their files and where they are called. */
import { codesOf } from './diagnostic-code.ts'

export const macroCodes = codesOf({
  'macro-arguments':
    'A call of a macro has too few or too many arguments, or names a parameter that it does not have.',
  'macro-cycle': 'A macro calls itself, directly or through others.',
  'macro-duplicate': 'Two macros have the same name, in one file or in two.',
  'macro-reserved-name':
    'A macro has the name of one of the tags of svc, such as `ref` or `source`, or one that begins with `_svc_`.',
  'macro-syntax':
    'A file in `macros/` holds something other than `CREATE MACRO name(…) AS …;`, or its SQL cannot be read.',
  'macro-too-long':
    'The macros of an asset unfold to more characters of SQL than `limits.sql.length` in `svc.yaml` allows.',
  'macro-unused-parameter': { doc: 'A macro does not use one of its parameters.', severity: 'hint' },
  'unknown-macro': 'A call in `{{ }}` names no macro of `macros/` and no tag of svc.',
})
