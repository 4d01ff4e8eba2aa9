import { Code, Money } from '../../parts/values.tsx'

/** A message may have a number that is of no currency. */
const IS_CURRENCY = /^[A-Z]{3}$/

/** An amount with its currency, which need not be one. */
export function Amount({ amount, currency }: { amount: number; currency: string }) {
  return IS_CURRENCY.test(currency) ? (
    <Money amount={amount} currency={currency} />
  ) : (
    <Code>{`${amount} ${currency}`}</Code>
  )
}
