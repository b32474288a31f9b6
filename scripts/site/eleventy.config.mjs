// How Eleventy makes the site of docs/: the pages as they are, the README as the first of them, and a page that searches.
import { readFileSync } from 'node:fs'
import { githubSlugs, pageLink } from './links.mjs'
import { navigationOf } from './navigation.mjs'
import { titleOf } from './title.mjs'

export const config = {
  dir: { includes: '../scripts/site' },
  // Tags of svc in the text are no tags of a template.
  markdownTemplateEngine: false,
  htmlTemplateEngine: false,
  templateFormats: ['md', 'html'],
}

export default function configure(eleventy) {
  const readme = readFileSync('README.md', 'utf8')
  eleventy.addGlobalData('layout', 'page.njk')
  eleventy.addGlobalData('navigation', navigationOf(readme))
  eleventy.addGlobalData('version', JSON.parse(readFileSync('package.json', 'utf8')).version)
  eleventy.addGlobalData('eleventyComputed', {
    title: data => data.title || titleOf(data.page.inputPath),
    permalink: data => data.permalink || `${data.page.filePathStem.slice(1)}.html`,
    // The way from a page to the folder of all pages: `../` for one in a folder.
    home: data => '../'.repeat(data.page.filePathStem.split('/').length - 2),
  })
  eleventy.amendLibrary('md', md => {
    md.use(githubSlugs).use(pageLink)
  })
  eleventy.addTemplate('index.md', asPage(readme), { title: 'svc', permalink: 'index.html' })
  const search = { title: 'Search', permalink: 'search.html', layout: 'search.njk' }
  eleventy.addTemplate('search.html', '<h1>Search</h1>', search)
  eleventy.addPassthroughCopy({ 'docs/images': 'images' })
}

/** The README stands beside the other pages. */
function asPage(text) {
  return text.replace(/\]\((docs\/)?(?![a-z]+:|#)/g, (_, folder) => (folder === undefined ? '](../' : ']('))
}
