import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { changeTenant } from '../../api/session.ts'
import type { Tenant } from '../../api/types.ts'

type ActForProps = { tenant: Pick<Tenant, 'id' | 'name'>; isSmall?: boolean }

/** Chooses the tenant, and opens its first page. */
export function ActFor({ tenant: { id, name }, isSmall = false }: ActForProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const start = () => {
    changeTenant({ id, name })
    void navigate({ to: '/home' })
  }
  return (
    <Button
      variant="default"
      size={isSmall ? 'xs' : 'sm'}
      onClick={start}
      aria-label={isSmall ? `${t('operator.act_for')}: ${name}` : undefined}
    >
      {t('operator.act_for')}
    </Button>
  )
}
