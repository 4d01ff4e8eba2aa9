import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The place of what has not arrived, of the height that it will have. */
export function Waiting({ height }: { height: number }) {
  const { t } = useTranslation()
  return <Skeleton height={height} role="status" aria-label={t('states.loading')} />
}
