import { Button, Progress, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { firstProduct } from '../../api/cards.ts'
import type { CardProduct } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import styles from './first_steps.module.css'
import { useOutcomes } from './kept.ts'
import { StepCard } from './step_card.tsx'
import { story } from './story.ts'

/** The main story of the platform, run step by step against the API. */
export function FirstSteps() {
  const { t } = useTranslation()
  const { data: product, error, refetch, isPending } = useQuery(firstProduct)
  return (
    <Page name="first_steps" lead={t('steps.lead')}>
      {error && <Failing error={error} retry={refetch} />}
      {isPending && <Skeleton height={420} role="status" aria-label={t('states.loading')} />}
      {product === null && <p>{t('steps.no_product')}</p>}
      {product && <Story product={product} />}
    </Page>
  )
}

function Story({ product }: { product: CardProduct }) {
  const { t } = useTranslation()
  const [outcomes, setOutcomes] = useOutcomes()
  const made = outcomes.at(-1)?.made ?? { product }
  const done = outcomes.filter(({ isDeclined }) => !isDeclined).length
  const isDone = done === story.length
  const progress = t('steps.progress', { done, all: story.length })
  return (
    <>
      <div className={styles['progress']}>
        <span role="status">{progress}</span>
        <Progress value={(done / story.length) * 100} aria-label={progress} />
        <Button
          variant="default"
          size="xs"
          disabled={outcomes.length === 0}
          onClick={() => setOutcomes([])}
        >
          {t('steps.again')}
        </Button>
      </div>
      <ol className={styles['steps']}>
        {story.map((step, at) => (
          <StepCard
            key={step.name}
            {...{ step, at, made }}
            outcome={outcomes[at]}
            isLatest={at === outcomes.length - 1}
            // A declined purchase is no end: its step runs again.
            isNext={outcomes[at]?.isDeclined ?? (outcomes.length === at && step.isReady(made))}
            onDone={(outcome) => setOutcomes([...outcomes.slice(0, at), outcome])}
          />
        ))}
      </ol>
      {isDone && (
        <div className={styles['finished']}>
          <p>{t('steps.finished')}</p>
          <div className={styles['next']}>
            {made.purchase && (
              <Button variant="default" component={Link} to={`/transactions/${made.purchase.id}`}>
                {t('steps.open_transaction')}
              </Button>
            )}
            <Button component={Link} to="/simulator">
              {t('steps.open_simulator')}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
