/** Whoever looks, is told or is asked: people, notifiers, catalogues, stores, agents, models. */
import { startModelServer } from '../model-servers.ts'
import { answerOfTool } from './agent.ts'
import type { Happening } from './doing.ts'

export const ofOthers: readonly Happening[] = [
  {
    name: 'it is looked at',
    async does(stage) {
      await stage.svc(['run'])
      stage.asset('copy', `SELECT id, upper(${stage.way.who}) AS w FROM {{ ref('people') }}`)
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      for (const words of [
        'sample people',
        'sample people --json',
        'sample people --source raw',
        'sample people --source model --json',
        'sample copy --query',
        'sample copy --query --json',
        'sample casts --query',
        'sample casts --query --json',
        'sample people --size 1',
        'inspect people',
        'inspect people --json',
        'ai context --json',
        'ai context --json --include-history',
        'manifest',
        'ls --json',
        'validate --json',
      ])
        await stage.svc(words.split(' '))
    },
  },
  {
    name: 'a run that fails is told to others',
    async does(stage) {
      stage.project.write(
        'svc.yaml',
        `name: shop\nnotify: {team: {type: webhook, endpoint: "${stage.elsewhere}/hook", environments: [dev]}}\nopenlineage: {type: http, endpoint: "${stage.elsewhere}/lineage"}\n`,
      )
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      stage.asset(
        'tested',
        `SELECT id, ${stage.way.who} AS w FROM {{ ref('people') }}`,
        'tests: [{accepted_values: {w: [x]}}]\n',
      )
      const env = {
        SVC_HOSTED_URL: stage.elsewhere,
        SVC_HOSTED_TOKEN: `svc_test_${'0123456789abcdef'.repeat(2)}`,
      }
      await stage.svc(['run'], { env })
      stage.project.remove('models/casts.svc')
      stage.project.remove('models/tested.svc')
      await stage.svc(['run'], { env })
      await stage.svc(['upload'], { env })
    },
  },
  {
    name: 'an agent asks',
    async does(stage) {
      await stage.svc(['run'])
      stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
      await stage.svc(['run'])
      const asked = [
        ...['list_assets', 'status', 'freshness', 'run_history', 'plan', 'validate', 'get_context'].map(
          name => [name, {}] as const,
        ),
        ...['get_asset', 'versions', 'rejects', 'sample'].map(name => [name, { asset: 'people' }] as const),
        ['sample', { asset: 'casts', query: true }] as const,
        ['run_log', {}] as const,
      ]
      for (const [name, input] of asked)
        stage.saw(`tool ${name}`, await answerOfTool(stage.project.root, name, input))
    },
  },
  {
    name: 'a model is asked',
    async does(stage) {
      await stage.svc(['run'])
      const server = await startModelServer('ollama')
      try {
        server.replies = [{ text: '{}' }]
        stage.project.write(
          'svc.yaml',
          `name: shop\nai: {provider: ollama, model: m, endpoint: "${server.endpoint}"}\n`,
        )
        stage.asset('casts', `SELECT CAST('x' || ${stage.way.who} AS INTEGER) AS n FROM {{ ref('people') }}`)
        await stage.svc(['run'])
        for (const words of [
          'ai explain people',
          'ai review people',
          'ai tests casts',
          'ai fix casts --error failed',
        ])
          await stage.svc(words.split(' '))
        for (const { body } of server.requests) stage.saw('asked of a model', body)
      } finally {
        await server.close()
      }
    },
  },
]
