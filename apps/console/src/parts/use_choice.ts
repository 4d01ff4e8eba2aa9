import { useState } from 'react'

/**
 * The chosen item of a list; without a choice the one that was the first when the list came. A list
 * that is read anew while a form is open may begin with another one, which nobody has chosen.
 */
export function useChoice<Item extends { id: string }>(
  items: readonly Item[],
  chosen: string,
): Item | undefined {
  const [first, setFirst] = useState(items[0]?.id)
  if (first === undefined && items[0] !== undefined) setFirst(items[0].id)
  const id = chosen === '' ? first : chosen
  return items.find((one) => one.id === id) ?? items[0]
}
