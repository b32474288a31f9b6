/**
 * Collects the licences of the packages whose code is in bundles. Licences such as MIT and BSD ask that each
 * copy carries their text with its copyright lines; a bundle contains the code without the files of a package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
const legalFile = /^(licen[cs]e|copying|notice)/i

/**
 * Returns the text of THIRD-PARTY-LICENSES.txt for the bundles that esbuild describes; `shipped` are names of
 * packages of which a file is shipped as it is.
 */
export function thirdPartyLicenses(metafiles, shipped = []) {
  const folders = new Set(shipped.map(name => `node_modules/${name}`))
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = packageFolder.exec(path)?.[1]
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
      }
    }
  }
  const entries = [...folders].map(licenseOf).sort((a, b) => (a.title < b.title ? -1 : 1))
  const unique = [...new Map(entries.map(entry => [entry.title, entry])).values()]
  const line = '-'.repeat(78)
  return [
    'This software contains code of the packages below, under their licences.',
    '',
    ...unique.flatMap(({ title, text }) => [line, title, line, '', text.trim(), '']),
  ].join('\n')
}

function licenseOf(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, author } = about
  // Some packages still write the older form with a list.
  const license = about.license ?? about.licenses?.[0]?.type
  const files = existsSync(folder) ? readdirSync(folder).filter(file => legalFile.test(file)) : []
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8'))
  const by = typeof author === 'string' ? author : author?.name
  // A few packages name their licence and holder in package.json alone.
  const text =
    texts.length > 0
      ? texts.join('\n')
      : (siblingText(folder, license) ?? unwritten(license, by ?? `the authors of ${name}`))
  return { title: `${name} ${version} (${license})`, text }
}

/** One package of a scope may lack the file that the others of the same repository and licence have. */
function siblingText(folder, license) {
  const scope = basename(dirname(folder))
  if (!scope.startsWith('@')) return undefined
  const siblings = join('node_modules', scope)
  for (const name of existsSync(siblings) ? readdirSync(siblings).sort() : []) {
    const sibling = join(siblings, name)
    if (JSON.parse(readFileSync(join(sibling, 'package.json'), 'utf8')).license !== license) continue
    const file = readdirSync(sibling).find(each => legalFile.test(each))
    if (file !== undefined) return readFileSync(join(sibling, file), 'utf8')
  }
  return undefined
}

/** The MIT licence is the same text everywhere, our own LICENSE included; only the holder differs. */
function unwritten(license, holder) {
  if (license !== 'MIT') throw new Error(`a package under ${license} has no file with its licence`)
  const ours = readFileSync('LICENSE', 'utf8')
  return `MIT License\n\nCopyright (c) ${holder}\n\n${ours.slice(ours.indexOf('Permission is hereby granted'))}`
}
