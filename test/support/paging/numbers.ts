/** Services whose pages have numbers. */
import { orNone, orNull, type PagingService, paged } from './ask.ts'

export const services: readonly PagingService[] = [
  {
    name: 'Spring Data',
    explicit: '{type: page, start: 0, total: totalPages}',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page', 0)
      return {
        body: {
          content: items,
          number,
          size: 10,
          totalPages: pages,
          totalElements: total,
          last: !hasMore,
          first: number === 0,
        },
      }
    },
  },
  {
    name: 'Spring Data REST',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page', 0)
      return {
        body: {
          _embedded: { things: items },
          page: { size: 10, totalElements: total, totalPages: pages, number },
        },
      }
    },
  },
  {
    name: 'JSON:API with numbers in meta',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page[number]')
      return { body: { data: items, meta: { page: { number, size: 10, total }, total_pages: pages } } }
    },
  },
  {
    name: 'BigCommerce',
    answer(ask) {
      const { items, number, hasMore, total, pages } = paged(ask, 'page')
      const links = orNone(hasMore, { next: `?page=${number + 1}&limit=10` })
      return {
        body: {
          data: items,
          meta: {
            pagination: {
              total,
              count: items.length,
              per_page: 10,
              current_page: number,
              total_pages: pages,
              links,
            },
          },
        },
      }
    },
  },
  {
    name: 'Bitbucket Cloud without an address',
    answer(ask) {
      const { items, number, total } = paged(ask, 'page')
      return { body: { pagelen: 10, size: total, page: number, values: items } }
    },
  },
  {
    name: 'Algolia: pages from zero',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page', 0)
      return { body: { hits: items, nbHits: total, page: number, nbPages: pages, hitsPerPage: 10 } }
    },
  },
  {
    name: 'Elastic App Search',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page[current]')
      return {
        body: {
          meta: { page: { current: number, total_pages: pages, total_results: total, size: 10 } },
          results: items,
        },
      }
    },
  },
  {
    name: 'Laravel, a resource without links',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return { body: { data: items, meta: { current_page: number, last_page: pages, per_page: 10, total } } }
    },
  },
  {
    name: 'Strapi',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'pagination[page]')
      return {
        body: { data: items, meta: { pagination: { page: number, pageSize: 10, pageCount: pages, total } } },
      }
    },
  },
  {
    name: 'FastAPI pagination',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return { body: { items, total, page: number, size: 10, pages } }
    },
  },
  {
    name: 'Kaminari: the number of the next page',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      return {
        body: {
          things: items,
          meta: {
            current_page: number,
            next_page: orNull(hasMore, number + 1),
            total_pages: pages,
            total_count: total,
          },
        },
      }
    },
  },
  {
    name: 'only the number of the next page',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return { body: { things: items, next_page: orNull(hasMore, number + 1) } }
    },
  },
  {
    name: 'json-server',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, '_page')
      return {
        body: {
          first: 1,
          prev: null,
          next: orNull(hasMore, number + 1),
          last: pages,
          pages,
          items: total,
          data: items,
        },
      }
    },
  },
  {
    name: 'Ghost',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      return {
        body: {
          posts: items,
          meta: {
            pagination: {
              page: number,
              limit: 10,
              pages,
              total,
              next: orNull(hasMore, number + 1),
              prev: null,
            },
          },
        },
      }
    },
  },
  {
    name: 'mongoose-paginate',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      return {
        body: {
          docs: items,
          totalDocs: total,
          limit: 10,
          totalPages: pages,
          page: number,
          hasNextPage: hasMore,
          nextPage: orNull(hasMore, number + 1),
        },
      }
    },
  },
  {
    name: 'Zoho',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return {
        body: {
          data: items,
          info: { per_page: 10, count: items.length, page: number, more_records: hasMore },
        },
      }
    },
  },
  {
    name: 'Zoho Books',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return {
        body: {
          code: 0,
          message: 'success',
          invoices: items,
          page_context: { page: number, per_page: 10, has_more_page: hasMore, sort_column: 'x' },
        },
      }
    },
  },
  {
    name: 'a flag as a text',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return { body: { items, page: number, has_more: String(hasMore) } }
    },
  },
  {
    name: 'a flag and a request by page',
    lines: ['params: {page: 1}'],
    answer(ask) {
      const { items, hasMore } = paged(ask, 'page')
      return { body: { items, has_more: hasMore } }
    },
  },
  {
    name: 'ClickUp',
    lines: ['params: {page: 0}'],
    answer(ask) {
      const { items, hasMore } = paged(ask, 'page', 0)
      return { body: { tasks: items, last_page: !hasMore } }
    },
  },
  {
    name: 'Last.fm: numbers as texts',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return {
        body: {
          artists: {
            artist: items,
            '@attr': { page: String(number), perPage: '10', totalPages: String(pages), total: String(total) },
          },
        },
      }
    },
  },
  {
    name: 'Linode',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return { body: { data: items, page: number, pages, results: total } }
    },
  },
  {
    name: 'Cloudflare',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return {
        body: {
          success: true,
          errors: [],
          result: items,
          result_info: {
            page: number,
            per_page: 10,
            count: items.length,
            total_count: total,
            total_pages: pages,
          },
        },
      }
    },
  },
  {
    name: 'World Bank: a list of two',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return { body: [{ page: number, pages, per_page: '10', total }, items] }
    },
  },
  {
    name: 'Magento',
    lines: ['params: {"searchCriteria[pageSize]": 10}'],
    answer(ask) {
      const { items, number, total } = paged(ask, 'searchCriteria[currentPage]')
      return { body: { items, search_criteria: { current_page: number, page_size: 10 }, total_count: total } }
    },
  },
  {
    name: 'OpenAlex',
    answer(ask) {
      const { items, number, total } = paged(ask, 'page')
      return {
        body: { meta: { count: total, db_response_time_ms: 5, page: number, per_page: 10 }, results: items },
      }
    },
  },
  {
    name: 'Open Food Facts: page_count is not that of pages',
    answer(ask) {
      const { items, number, total } = paged(ask, 'page')
      return {
        body: { count: total, page: number, page_count: items.length, page_size: 10, products: items },
      }
    },
  },
  {
    name: 'a number of pages from one, and nothing else',
    answer: ask => ({ body: { items: paged(ask, 'page').items, page_count: paged(ask, 'page').pages } }),
  },
  {
    name: 'a number of pages from zero, and nothing else',
    answer: ask => ({
      body: { items: paged(ask, 'page', 0).items, page_count: paged(ask, 'page', 0).pages },
    }),
  },
  {
    name: 'USAspending: pages in the body',
    lines: ['method: POST', 'body: {page: 1, limit: 10}'],
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return {
        body: {
          results: items,
          page_metadata: { page: number, hasNext: hasMore, next: orNull(hasMore, number + 1) },
        },
      }
    },
  },
  {
    name: 'pages in words',
    cannotBeFollowed: true,
    answer(ask) {
      const { items, number, pages } = paged(ask, 'page')
      return { body: { items, page: `${number} of ${pages}` } }
    },
  },
  {
    name: 'pages in words, in meta',
    cannotBeFollowed: true,
    explicit: '{type: page, param: page}',
    answer(ask) {
      const { items, number, pages } = paged(ask, 'page')
      return { body: { items, meta: { current_page: `Page ${number}/${pages}` } } }
    },
  },
  {
    name: 'a sentence that counts records',
    cannotBeFollowed: true,
    explicit: '{type: page, param: page}',
    answer(ask) {
      const { items, start, end, total } = paged(ask, 'page')
      return { body: { items, showing: `Showing ${start + 1} to ${end} of ${total} entries` } }
    },
  },
]
