/** What sources do: they go away and come back, they are empty, their columns change. */
import type { Act } from './acts.ts'
import type { Ground } from './ground.ts'

const put = (g: Ground, text: string) => g.write('data/prices.csv', text)

export const actsOnSources: readonly Act[] = [
  {
    name: 'a source is gone, and comes back',
    act: async g => {
      const text = g.read('data/prices.csv')
      g.remove('data/prices.csv')
      await g.act('run')
      put(g, text)
    },
  },
  {
    name: 'a source stays away',
    act: async g => {
      g.remove('data/prices.csv')
      await g.act('run')
    },
  },
  {
    name: 'a source is empty, and has rows again',
    act: async g => {
      const text = g.read('data/prices.csv')
      put(g, 'price,label\n')
      await g.act('run')
      put(g, text)
    },
  },
  { name: 'a source has other rows', act: g => put(g, 'price,label\n0,cheap\n1,dear\n2,dear\n') },
  {
    name: 'a source has a value that a test does not know',
    act: g => put(g, 'price,label\n0,cheap\n1,odd\n'),
  },
  { name: 'a source has a new column', act: g => put(g, 'price,label,unit\n0,cheap,kg\n1,dear,kg\n') },
  { name: 'a source has renamed a column', act: g => put(g, 'price,kind\n0,cheap\n1,dear\n') },
  {
    name: 'a source has renamed a column, and the asset takes it',
    act: g => {
      put(g, 'price,kind\n0,cheap\n1,dear\n')
      g.edit('models/prices.svc', 'transform: SELECT price, label', 'transform: SELECT price, kind AS label')
    },
  },
  {
    name: 'a source goes back to its earlier rows',
    act: async g => {
      const text = g.read('data/prices.csv')
      put(g, 'price,label\n0,dear\n1,dear\n')
      await g.act('run')
      put(g, text)
    },
  },
  {
    name: 'a model spells a column in another way',
    act: g => g.edit('models/daily.svc', 'AS n', 'AS N'),
  },
]
