/**
 * What svc-hosted is measured beside: `bare` is Node's server with a ready answer, `koa` does the same work as
 * svc-hosted in the plain way: Koa, its router, knex, a query for each thing it needs. `node hosted-peers.mjs <which>`
 */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Router } from '@koa/router'
import knex from 'knex'
import Koa from 'koa'

const token = 'bench-token-0123456789-0123456789-012345'
const hash = createHash('sha256').update(token).digest('base64url')

export function bare(): RequestListener {
  const term = {
    id: 1,
    name: 'Customer',
    identifier: 'term.customer',
    description: 'x'.repeat(200),
    project: 1,
  }
  const bytes = Buffer.from(JSON.stringify(term))
  return (_, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
    })
    response.end(bytes)
  }
}

async function plainKoa(): Promise<RequestListener> {
  const filename = join(mkdtempSync(join(tmpdir(), 'svc-bench-koa-')), 'x.db')
  const database = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true })
  await database.raw('pragma journal_mode = wal')
  await database.raw('pragma synchronous = full')
  await database.schema.createTable('token', table => {
    table.text('hash').primary()
    table.text('scopes')
  })
  await database.schema.createTable('term', table => {
    table.increments('id')
    table.integer('project')
    table.text('name')
    table.text('description')
  })
  await database.schema.createTable('audit', table => {
    table.increments('id')
    table.text('action')
    table.text('at')
  })
  await database('token').insert({ hash, scopes: 'all' })
  await database('term').insert({ project: 1, name: 'Customer', description: 'x'.repeat(200) })
  const router = new Router()
  router.get('/api/svc/glossary/terms/:id', async context => {
    context.body = await database('term').where('id', context.params['id']).first()
  })
  router.post('/api/svc/glossary/terms', async context => {
    const chunks: Buffer[] = []
    for await (const chunk of context.req) chunks.push(chunk as Buffer)
    const { project, name } = JSON.parse(Buffer.concat(chunks).toString()) as {
      project: number
      name: string
    }
    const term = await database.transaction(async transaction => {
      const [id] = await transaction('term').insert({ project, name, description: '' })
      await transaction('audit').insert({ action: 'term.create', at: new Date().toISOString() })
      return { id, project, name }
    })
    context.status = 201
    context.body = { success: true, term }
  })
  const app = new Koa()
  app.use(async (context, next) => {
    const given = context.get('authorization').slice('Bearer '.length)
    const known = await database('token')
      .where('hash', createHash('sha256').update(given).digest('base64url'))
      .first()
    if (known === undefined) context.throw(401)
    await next()
  })
  app.use(router.routes()).use(router.allowedMethods())
  return app.callback()
}

const server = createServer(process.argv[2] === 'koa' ? await plainKoa() : bare())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stderr.write(`listens on http://127.0.0.1:${port}\n`)
})
