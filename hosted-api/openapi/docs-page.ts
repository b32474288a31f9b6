/**
 * The documentation of the service as one self-contained page, without fonts, scripts or images of other
 * hosts.
 */
import { createHash } from 'node:crypto'
import { docsScript, docsStyle } from './docs-style.ts'
import type { Json, JsonObject, OpenApi, Operation } from './document.ts'
import { exampleOf } from './example.ts'

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** Allows only the page's own style and script. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src '${hashOf(docsStyle)}'`,
  `script-src '${hashOf(docsScript)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function docsPage(document: OpenApi): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const groups = document.tags.map(({ name }) => ({
    name: String(name),
    entries: entries.filter(({ operation }) => operation.tags.includes(String(name))),
  }))
  const { title, version, description } = document.info
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<style>${docsStyle}</style>
</head>
<body>
<nav aria-label="Operations">
<h1>${text(title)}</h1>
<p>${text(version)} · <a href="/openapi.json">openapi.json</a></p>
<input type="search" placeholder="Filter ( / )" aria-label="Filter operations">
${groups.map(navGroup).join('\n')}
</nav>
<main>
<p>${text(description)} Send a token with every request: <code>Authorization: Bearer svc_…</code>.
A refusal is <code>application/problem+json</code> with a stable <code>code</code>.</p>
${groups.map(group => mainGroup(group, document)).join('\n')}
</main>
<script>${docsScript}</script>
</body>
</html>
`
}

interface Group {
  readonly name: string
  readonly entries: readonly Entry[]
}

function navGroup({ name, entries }: Group): string {
  const items = entries.map(
    entry =>
      `<li data-text="${searchText(entry)}"><a href="#${entry.operation.operationId}">${methodMark(entry)} ${text(entry.operation.operationId)}</a></li>`,
  )
  return `<div data-group><h2>${text(name)}</h2>\n<ul>\n${items.join('\n')}\n</ul></div>`
}

function mainGroup({ name, entries }: Group, document: OpenApi): string {
  return `<section data-group><h2>${text(name)}</h2>\n${entries.map(entry => article(entry, document)).join('\n')}\n</section>`
}

function article(entry: Entry, document: OpenApi): string {
  const { operation, path } = entry
  const parameters = operation.parameters.filter(({ in: place }) => place !== 'header')
  const headers = operation.parameters.filter(({ in: place }) => place === 'header')
  const parts = [
    `<h3>${methodMark(entry)} <code>${text(path)}</code></h3>`,
    `<p>${text(operation.summary.replace(/\.?$/, '.'))} <span class="soft">${code(operation.description)}</span></p>`,
    parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters.map(parameterRow))}`,
    ...bodyParts(operation, document),
    `<h4>Call</h4><pre>${text(curl(entry, document))}</pre>`,
    ...answerParts(operation, document),
    `<details><summary>Headers and refusals</summary>${table([...headers.map(parameterRow), ...refusalRows(operation)])}</details>`,
  ]
  return `<article id="${operation.operationId}" data-text="${searchText(entry)}">\n${parts.filter(part => part !== '').join('\n')}\n</article>`
}

function bodyParts({ requestBody }: Operation, document: OpenApi): readonly string[] {
  const schema = schemaOf(requestBody)
  if (schema === undefined) return []
  const shape = resolved(schema, document)
  const required = (shape['required'] ?? []) as readonly string[]
  const rows = Object.entries((shape['properties'] ?? {}) as JsonObject).map(([name, member]) =>
    row(
      name,
      `${typeText(member as JsonObject)}${required.includes(name) ? ', required' : ''}`,
      (member as JsonObject)['description'],
    ),
  )
  return rows.length === 0 ? [] : [`<h4>Body</h4>${table(rows)}`]
}

function answerParts({ responses }: Operation, document: OpenApi): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => {
      const schema = schemaOf(response)
      const body = schema === undefined ? '' : JSON.stringify(exampleOf(schema, document), null, 2)
      return `<h4>${status}</h4>${body === '' ? '' : `<pre>${text(body)}</pre>`}`
    })
}

function refusalRows({ responses }: Operation): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { description }]) => row(status, '', description))
}

function parameterRow({ name, in: place, required, description, schema }: JsonObject): string {
  const facts = [String(place), typeText(schema as JsonObject), ...(required === true ? ['required'] : [])]
  return row(String(name), facts.join(', '), description)
}

function row(name: string, facts: string, description: Json | undefined): string {
  return `<tr><td><code>${text(name)}</code></td><td>${text(facts)}</td><td>${code(String(description ?? ''))}</td></tr>`
}

function table(rows: readonly string[]): string {
  return `<table>${rows.join('')}</table>`
}

function curl({ path, method, operation }: Entry, document: OpenApi): string {
  const schema = schemaOf(operation.requestBody)
  const filled = path.replace(/\{(\w+)\}/g, '1')
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}$SVC_HOSTED_URL${filled}`,
    ...(operation.security.length === 0 ? [] : ['-H "Authorization: Bearer $SVC_HOSTED_TOKEN"']),
    ...(schema === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(exampleOf(schema, document, { requiredOnly: true })).replaceAll("'", "'\\''")}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

function schemaOf(holder: JsonObject | undefined): JsonObject | undefined {
  const content = holder?.['content'] as JsonObject | undefined
  const [first] = Object.values(content ?? {})
  return (first as { readonly schema?: JsonObject } | undefined)?.schema
}

function resolved(schema: JsonObject, document: OpenApi): JsonObject {
  const { $ref: reference } = schema
  if (typeof reference !== 'string') return schema
  return (document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}) as JsonObject
}

/** Null is left out, because it means the same as leaving the member out. */
function typeText(schema: JsonObject): string {
  const { minimum, maximum, maxLength, default: standard } = schema
  const isBounded = minimum !== undefined && maximum !== undefined && Number(maximum) < 1e9
  const parts = [
    kindText(schema),
    ...(isBounded ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
  ]
  return `${parts.join(' ')}${standard === undefined ? '' : `, default ${JSON.stringify(standard)}`}`
}

function kindText({ $ref: reference, enum: values, const: value, anyOf, type, items }: JsonObject): string {
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? ''
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return values.filter(each => each !== null).join(' | ')
  if (Array.isArray(anyOf)) {
    const kinds = anyOf.map(each => typeText(each as JsonObject)).filter(kind => kind !== 'null')
    return [...new Set(kinds)].join(' or ')
  }
  const types = [type ?? 'any'].flat().filter(each => each !== 'null')
  const named = types.map(each =>
    each === 'array' ? `list of ${typeText((items ?? {}) as JsonObject)}` : String(each),
  )
  return named.join(' or ') || 'null'
}

function methodMark({ method }: Entry): string {
  return `<span class="method ${method}">${method}</span>`
}

function searchText({ path, method, operation }: Entry): string {
  return text(`${operation.operationId} ${method} ${path} ${operation.summary}`.toLowerCase())
}

/** Formats the words in backticks as code. */
function code(words: string): string {
  return text(words).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function text(value: unknown): string {
  return String(value).replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
