/** The wanted outcome of a request, and how it fills the form. */

import { useEffect, useState } from 'react'
import { accountsOf } from '../../api/cards.ts'
import { queries } from '../../api/session.ts'
import type { CardChoice } from './cards.ts'
import { type Outcome, outcomes, valuesOf } from './outcomes.ts'
import type { RequestFields } from './use_request.ts'

/** All fields but the card, which the search for a status chooses by itself. */
const fieldsOf = (form: RequestFields): string =>
  JSON.stringify({ ...form.getValues(), card_id: undefined })

/** An outcome whose fields are not in the form yet, and the fields that it found there. */
type Filling = { outcome: Outcome; seen: string; isSearched: boolean }

/**
 * An outcome looks for a card of its status and reads what the account of that card has; then the
 * form is filled, unless something newer was typed or opened meanwhile.
 */
export function useOutcome(form: RequestFields, choice: CardChoice) {
  const [wanted, want] = useState('')
  const [filling, fill] = useState<Filling>()
  const { card_id } = form.values
  const present = choice.cards.find(({ id }) => id === card_id)
  const isThere = card_id === '' || present !== undefined
  const isReady = filling?.isSearched === true && !choice.isPending && isThere
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another one at each render.
  useEffect(() => {
    if (!filling || !isReady) return
    let isNewest = true
    const end = (values: Parameters<typeof form.setValues>[0] | undefined) => {
      if (!isNewest) return
      if (values && fieldsOf(form) === filling.seen) form.setValues(values)
      else want('')
      fill(undefined)
    }
    const read = async () => (card_id === '' ? [] : queries.fetchQuery(accountsOf(card_id)))
    read().then(
      ([account]) => end(valuesOf(filling.outcome, account, form.getValues())),
      () => end(undefined),
    )
    return () => {
      isNewest = false
    }
  }, [filling, isReady, card_id])
  const choose = (name: string) => {
    want(name)
    const outcome = outcomes.find((one) => one.name === name)
    fill(undefined)
    if (!outcome) return
    const begun = { outcome, seen: fieldsOf(form), isSearched: false }
    const search = async () => {
      const { status } = outcome
      if (status !== undefined) await choice.search({ card_status: status })
      else if (choice.isSearch || present?.status !== 'ACTIVE') await choice.search({})
    }
    fill(begun)
    void search().then(() => fill((now) => (now === begun ? { ...begun, isSearched: true } : now)))
  }
  return { wanted, choose, isFilling: filling !== undefined }
}
