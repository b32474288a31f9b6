/** Dimensions of what stands beside a project: a web service, a hosted store, an editor with many open documents. */
import { editorHere } from '../editor-here.ts'
import { canStartStore, startStore } from '../hosted-store.ts'
import { startRestServer } from '../rest-server.ts'
import {
  asset,
  type Beside,
  base,
  type Dimension,
  fromBase,
  many,
  sqlOf,
  testsOf,
  wide,
} from './dimension.ts'

export const besideDimensions: readonly Dimension[] = [
  {
    name: 'pages of a web service',
    most: 3200,
    beside: size => webService(size, '/pages'),
    files: () => ({}),
    lines: [['validate'], ['run']],
  },
  {
    name: 'requests of for_each',
    most: 1600,
    beside: size => webService(size, '/of/{{ parent.id }}'),
    files: size => ({
      'models/parents.svc': `name: parents\n${asset(`SELECT range AS id FROM range(${size})`)}`,
    }),
    lines: [['validate'], ['run']],
  },
  ...(canStartStore ? uploads() : []),
  {
    name: 'open documents of an editor',
    most: 800,
    files: size => ({
      ...base,
      ...Object.fromEntries(many(size, index => [`models/a${index}.svc`, model(index)])),
    }),
    lines: [],
    work: async (root, size) => {
      // A client that cannot watch files has the disk looked at as documents are opened.
      const editor = await editorHere(root)
      for (const index of many(size, each => each)) editor.open(`models/a${index}.svc`, model(index))
      for (const index of many(size, each => each)) await editor.problems(`models/a${index}.svc`)
      await editor.close()
    },
  },
]

function model(index: number): string {
  return `name: a${index}\n${asset(`SELECT a + ${index} AS a FROM ${fromBase}`)}`
}

/** The hosted service reads a pack from 256 KB on in a thread, whose start must not look as if work had grown. */
const largePack = {
  'models/large.svc': `name: large\n${asset(`SELECT 1 AS a /* ${'x '.repeat(150_000)} */`)}`,
}

function uploads(): Dimension[] {
  const lines = [['upload'], ['upload']] as const
  return [
    {
      name: 'assets that are uploaded',
      most: 1600,
      beside: startStore,
      files: size => ({
        ...base,
        ...largePack,
        ...Object.fromEntries(many(size, index => [`models/a${index}.svc`, model(index)])),
      }),
      lines,
    },
    {
      name: 'columns that are uploaded',
      most: 2000,
      beside: startStore,
      files: size => ({
        ...largePack,
        ...sqlOf(
          wide,
          testsOf(index => `not_null: c${index}`),
        )(size),
      }),
      lines,
    },
  ]
}

/** Pages of one record each, and a record for each parent. */
async function webService(size: number, resource: string): Promise<Beside> {
  const server = await startRestServer()
  server.route('/pages', ({ query }, response) => {
    const page = Number(query.get('page') ?? '1')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: page <= size ? [{ id: page }] : [] }))
  })
  for (const id of many(size, each => each))
    server.route(`/of/${id}`, (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify([{ of: id }]))
    })
  const more = resource === '/pages' ? 'paginate: {type: page}' : 'for_each: {asset: parents}'
  return {
    files: {
      'models/x.svc': `name: x\ningest: {type: rest_api, endpoint: '${server.origin}', resource: '${resource}', ${more}}\ntransform: SELECT * FROM {{ source }}\n`,
    },
    dispose: () => server.close(),
  }
}
