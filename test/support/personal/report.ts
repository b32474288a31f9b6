/** The committed cases as a table: how many are right, by file, and every mistake. */

import { readCorpus } from './corpus.ts'
import { judge, type Score, score, shownVerdict, type Verdict } from './judge.ts'
import { openLineageLab } from './lineage-lab.ts'

export async function judgeCorpus(folder: string): Promise<readonly Verdict[]> {
  const cases = readCorpus(folder)
  const lab = await openLineageLab()
  try {
    const analyses = await lab.analyze(cases.map(({ sql }) => sql))
    return cases.flatMap((each, index) => {
      const analysis = analyses[index]
      return analysis === undefined ? [] : [judge(each, analysis)]
    })
  } finally {
    lab.close()
  }
}

export function corpusReport(verdicts: readonly Verdict[], isWhole: boolean): string {
  const files = [...new Set(verdicts.map(({ of }) => of.file))]
  const rows = files.map(file =>
    tableRow(
      file,
      verdicts.filter(({ of }) => of.file === file),
    ),
  )
  const all = score(verdicts)
  const mistakes = isWhole ? [...all.leaks, ...all.falseAlarms].map(shownVerdict) : []
  return [...mistakes, heading, ...rows, tableRow('all', verdicts), summary(all)].join('\n')
}

const heading = `${'file'.padEnd(32)}  cases  right  leaks  false alarms`

function tableRow(name: string, verdicts: readonly Verdict[]): string {
  const { cases, right, leaks, falseAlarms } = score(verdicts)
  const cells = [
    `${cases}`.padStart(5),
    `${right}`.padStart(5),
    `${leaks.length}`.padStart(5),
    `${falseAlarms.length}`.padStart(12),
  ]
  return `${name.padEnd(32)}  ${cells.join('  ')}`
}

function summary({ cases, leaks, falseAlarms }: Score): string {
  const share = ((100 * falseAlarms.length) / Math.max(1, cases)).toFixed(1)
  return `${leaks.length} leaks, ${share} % false alarms in ${cases} cases`
}
