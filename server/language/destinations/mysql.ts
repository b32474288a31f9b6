import { databaseKind } from './databases.ts'

export const mysql = databaseKind({
  value: 'mysql',
  doc: 'A table of MySQL or MariaDB.',
  inWords: 'a table of MySQL or MariaDB',
  form: 'mysql://user@host/name',
  pattern: /^((mysql|mariadb):\/\/\S+|env:[A-Za-z_]\w*)$/,
  batch: 5000,
})
