/** Which columns of a new source probably hold personal data: by their names, and by what their values look like. */
import { quoteName } from '@svc/server/catalog'

const names =
  /(^|_)(e_?mail|phone|mobile|telephone|fax|(first|last|middle|full|sur|given|family|user|birth|maiden)_?name|surname|nickname|birth(day|_?date)?|date_of_birth|dob|ssn|social_security(_number)?|tax_id|passport|iban|(credit_?)?card_number|street|address|address_line_?[0-9]?|postcode|postal_code|zip(_?code)?|ip|ip_?address)($|_)/

/** A name is that of a person in a table of persons. */
const persons =
  /(^|_)(customers?|users?|people|persons?|contacts?|employees?|members?|patients?|students?|accounts?)($|_)/

export function hasPersonalName(column: string, asset: string): boolean {
  return names.test(column) || (column === 'name' && persons.test(asset))
}

/** What values look like, as regular expressions of the engine. */
const shapes = [
  '[^@\\s]+@[^@\\s]+[.][^@\\s.]+',
  '[+(][0-9][0-9 ()./-]{6,}',
  '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}',
  '[0-9]{1,3}([.][0-9]{1,3}){3}',
]
/** The share of values from which a shape is no accident. */
const most = 0.8

/** Returns an SQL aggregate: whether most texts of the column look like personal data. */
export function looksPersonalSql(column: string): string {
  const text = quoteName(column)
  const counts = shapes.map(
    shape =>
      `count(*) FILTER (regexp_full_match(CAST(${text} AS VARCHAR), '${shape}')) >= ${most} * count(${text})`,
  )
  return `(count(${text}) > 0 AND (${counts.join(' OR ')}))`
}
