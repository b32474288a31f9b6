/** Documents of JSON that name a key twice in one object. Most engines keep such a document as it is; some keep one of the two. */

/** Returns the condition that an object in a document, at any depth, has a key more than once. `value` is SQL of type JSON. */
export function repeatsKeys(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`
  const keys = `regexp_extract_all(${text}, '"(?:[^"\\\\]|\\\\.)*"\\s*:')`
  // To take a document apart costs ten times as much, and in most of them no name is there twice, not even in several objects.
  const mayRepeat = `len(${keys}) > len(list_distinct(${keys})) OR contains(${text}, '\\u')`
  return `EXISTS (SELECT 1 FROM json_tree(CASE WHEN ${mayRepeat} THEN ${value} END) WHERE key IS NOT NULL GROUP BY parent, key HAVING count(*) > 1)`
}
