import { databaseKind } from './databases.ts'

export const postgres = databaseKind({
  value: 'postgres',
  doc: 'A table of PostgreSQL.',
  inWords: 'a table of PostgreSQL',
  form: 'postgres://user@host/name',
  pattern: /^(postgres(ql)?:\/\/\S+|env:[A-Za-z_]\w*)$/,
  batch: 10_000,
})
