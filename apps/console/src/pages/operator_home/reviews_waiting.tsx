import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { nameOfUser } from '../../parts/issuing/user_field.tsx'
import { Attention } from './attention.tsx'

const MOST = 50

/** People whose documents or checks wait for a decision. */
export function ReviewsWaiting() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['reviews', 'waiting'],
    queryFn: () => answered(issuing.operator.listReviews({ limit: MOST })),
  })
  const items = data?.data.map(({ user }) => ({
    id: user.id,
    what: <bdi>{nameOfUser(user)}</bdi>,
    how: <Ago at={user.modified} />,
  }))
  return (
    <Attention
      title={t('operator.home.reviews')}
      to="/reviews"
      items={items}
      hasMore={data?.has_more}
      good={t('operator.home.reviews_good')}
      error={error}
      retry={refetch}
    />
  )
}
