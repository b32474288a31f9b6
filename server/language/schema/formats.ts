/** Parses texts with a format: names, durations, rates, thresholds. Pure conversions without messages. */
import { engines } from '../engines/index.ts'
import type { Amount, Step, Threshold } from './definition.ts'
import { formatted, type KeyParts, type TextFormat } from './shape.ts'

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** A duration of 0 is not allowed: nothing could ever be that fast or fresh. */
export const durationPattern = /^(?![0.]+[a-z])(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/

/** Returns milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text.trim())
  const unit = unitMs[match?.[2] ?? '']
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit
}

/** Formats milliseconds as a file writes them, in the largest unit up to days that has them whole: `90s`, `12h`, `7d`. */
export function formatDuration(ms: number): string {
  const units = Object.entries(unitMs).filter(([letter]) => letter !== 'w')
  const [letter, size] = units.findLast(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1]
  return `${ms / size}${letter}`
}

const unitBytes: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 }

export const sizePattern = /^(?![0.]+[A-Z])(\d+(?:\.\d+)?) ?(KB|MB|GB)$/

/** Returns bytes; undefined if the text is not a size. */
export function parseSize(text: string): number | undefined {
  const match = sizePattern.exec(text.trim())
  const unit = unitBytes[match?.[2] ?? '']
  return match === null || unit === undefined ? undefined : Math.round(Number(match[1]) * unit)
}

export const ratePattern = /^(\d+(?:\.\d+)?)\/(s|m|h|d)$/

/**
 * Returns requests per second; undefined if the text is not a rate. A rate of 0 would never send anything and
 * is invalid.
 */
export function parseRate(text: string): number | undefined {
  const match = ratePattern.exec(text.replace(/\s/g, ''))
  const unit = unitMs[match?.[2] ?? '']
  const count = Number(match?.[1])
  return unit === undefined || count === 0 ? undefined : (count * 1000) / unit
}

export const percentPattern = /^(\d+(?:\.\d+)?)%$/

export function parsePercent(text: string): number | undefined {
  const match = percentPattern.exec(text.trim())
  return match === null ? undefined : Number(match[1])
}

export const amountPattern = /^(\d+|\d+(\.\d+)?%)$/

/** Parses `10` or `0.5%`; undefined for other texts. More than 100% is impossible. */
export function parseAmount(text: string): Amount | undefined {
  const share = parsePercent(text)
  if (share !== undefined) return share > 100 ? undefined : { unit: 'percent', value: share }
  return /^\d{1,15}$/.test(text.trim()) ? { unit: 'rows', value: Number(text) } : undefined
}

/** Parses `7d` or `10000`; undefined for other texts. A step of nothing would never arrive. */
export function parseStep(text: string): Step | undefined {
  const ms = parseDuration(text)
  if (ms !== undefined) return { unit: 'ms', value: ms }
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? { unit: 'number', value: Number(text) } : undefined
}

export const thresholdPattern = /^\s*(>=|<=|!=|<>|==|>|<|=)\s*(\d+(?:\.\d+)?)\s*$/

export function parseThreshold(text: string): Threshold | undefined {
  const match = thresholdPattern.exec(text)
  if (match === null) return undefined
  const written = match[1] ?? ''
  const operator = (written === '<>' ? '!=' : written === '==' ? '=' : written) as Threshold['operator']
  return { operator, value: Number(match[2]) }
}

export const nameFormat: TextFormat = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  code: 'invalid-name',
  rule: 'a name is made of letters, digits and _, and begins with a letter or _',
}

export const environmentNameFormat: TextFormat = {
  pattern: /^[a-z][a-z0-9_]*$/,
  code: 'invalid-name',
  rule: "an environment's name is made of small letters, digits and _, and begins with a letter",
}

/** It is a part of the name of an environment variable, and of a node of the lineage. */
export const targetFormat: TextFormat = {
  pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
  code: 'invalid-name',
  rule: "a destination's name is made of letters, digits and _, and begins with a letter",
}

export const notifierFormat: TextFormat = {
  pattern: /^[A-Za-z][A-Za-z0-9_-]*$/,
  code: 'invalid-name',
  rule: "a notifier's name is made of letters, digits, _ and -, and begins with a letter",
}

/** An address that is a secret as a whole. */
export const variableFormat: TextFormat = {
  pattern: /^env:[A-Za-z_]\w*$/,
  rule: 'the address is a secret: write env:NAME, and set that variable',
}

export const smtpFormat: TextFormat = {
  pattern: /^(smtps?:\/\/[^\s/@:]+(:\d{1,5})?|env:[A-Za-z_]\w*)$/,
  rule: 'a mail server is smtp://host:port, smtps://host:port or env:NAME; who logs in says "username"',
}

export const relationFormat: TextFormat = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*\..+$/,
  rule: 'write asset.column',
  hint: 'As in relationships: {customer_id: customers.id}.',
}

export const statusFormat: TextFormat = {
  pattern: /^[1-5]\d\d$/,
  rule: 'an HTTP status is a number from 100 to 599',
}

export const webAddressFormat: TextFormat = {
  pattern: /^(https?:\/\/[^\s/]\S*|env:[A-Za-z_]\w*)$/,
  rule: 'the address of an API begins with https:// or http://, or is env:NAME',
}

export const folderFormat: TextFormat = {
  pattern: /^((https?|s3|sftp):\/\/[^\s/]|(?![a-z][a-z0-9+.-]*:\/\/))/i,
  rule: "the endpoint of a file source is a folder, relative to the project's root, or https://…, s3://bucket/… or sftp://user@host/…",
  hint: 'Other storage often speaks S3, too: write s3://bucket/folder, and its address as s3.endpoint.',
}

/** A date, or a timestamp in UTC or with an offset. */
export const timeFormat: TextFormat = {
  pattern: /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/,
  rule: 'a time is written 2024-01-31 or 2024-01-31 09:30:00, in UTC unless it ends in an offset such as +02:00',
}

const addresses = engines.map(({ address }) => address)

export const warehouseFormat: TextFormat = {
  pattern: new RegExp(`^(${addresses.map(({ pattern }) => pattern).join('|')}|env:[A-Za-z_]\\w*)$`),
  rule: `a warehouse is ${engines.map(({ address }) => address.form).join(', ')} or env:NAME`,
}

export const modelsFormat: TextFormat = {
  pattern: /^(?!\/|[A-Za-z]:|~)(?!(.*\/)?\.\.(\/|$))[^\\*?]+$/,
  rule: "models is a folder inside the project, relative to the project's root",
  noNumber: true,
}

/** A literal text, or the name of an environment variable. */
export const credentialFormat: TextFormat = {
  pattern: /^(?!env:)|^env:[A-Za-z_]\w*$/,
  rule: 'env: is followed by the name of a variable, made of letters, digits and _',
}

/** Makes a key whose value is a secret. */
export function secretKey(doc: string): KeyParts {
  return {
    names: 'secret',
    doc: `${doc}; env:NAME keeps it out of the file.`,
    shape: formatted(credentialFormat),
  }
}

export const hostFormat: TextFormat = {
  pattern: /^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]+\])(:\d{1,5})?$/,
  rule: 'a host is a name such as cdn.example.com, with :port where it has one of its own',
}

/** An address that a reader can open. */
export const linkFormat: TextFormat = {
  pattern: /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s/]\S*$/,
  rule: 'an address begins with https:// or the like',
}

export const tagFormat: TextFormat = {
  pattern: /^[^,]+$/,
  rule: 'a tag has no comma in it, which parts selectors',
}

export const headerFormat: TextFormat = {
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
  rule: 'the name of a header has no blanks or brackets in it',
}
