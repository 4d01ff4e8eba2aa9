import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Acting, actFor, useActing } from '../api/acting.ts'
import { answered, issuing } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { changeTenant } from '../api/session.ts'
import styles from './acting.module.css'

/** Reads the name of a tenant that a link has named; one that is not there is left. */
function useNameOf(acting: Acting | undefined): void {
  const id = acting?.id ?? ''
  const { data, error } = useQuery({
    queryKey: ['session', 'tenant', id],
    enabled: acting?.name === '',
    queryFn: () => answered(issuing.operator.getTenant(id)),
  })
  const isNowhere = error instanceof Problem && error.status === 404
  useEffect(() => {
    if (data) actFor(data)
    if (isNowhere) changeTenant(undefined)
  }, [data, isNowhere])
}

/** Tells a member of the operator's team for whom each call of the page is made. */
export function ActingBanner() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const acting = useActing()
  useNameOf(acting)
  if (!acting) return null
  const leave = () => {
    changeTenant(undefined)
    void navigate({ to: '/home' })
  }
  return (
    <section className={styles['banner']} aria-label={t('acting.title')}>
      <span className={styles['text']}>
        {t('acting.now')} <bdi className={styles['name']}>{acting.name || acting.id}</bdi>
      </span>
      <Button size="xs" variant="default" onClick={leave}>
        {t('acting.leave')}
      </Button>
    </section>
  )
}
