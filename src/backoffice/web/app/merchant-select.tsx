import { TbBuildingStore } from 'react-icons/tb';
import { useLocation } from 'wouter';
import { nameKey } from '../../../kernel/person-keys.ts';
import { texts } from '../lib/i18n.ts';
import { useMaybeMerchant, useSession } from '../lib/session.ts';
import { optionOf, useFoundMerchants } from '../ui/merchant-picker.tsx';
import { RemoteSelect, SHOWN_MAX } from '../ui/remote-select.tsx';

const TEXTS = texts({
  switch: ['Switch merchant', 'Mudar de comerciante'],
  choose: ['Select a merchant', 'Selecionar comerciante'],
});

/** Selects the merchant whose pages are shown. */
export default function MerchantSelect() {
  const merchant = useMaybeMerchant();
  const operator = useSession().user?.operator === true;
  const [, navigate] = useLocation();
  return (
    <RemoteSelect
      label={TEXTS.switch}
      placeholder={TEXTS.choose}
      none={TEXTS.noMerchant}
      icon={<TbBuildingStore size={18} strokeWidth={1.8} aria-hidden />}
      value={merchant && optionOf(merchant)}
      onChange={(option) => option !== null && navigate(`/m/${option.value}`)}
      useFound={operator ? useFoundMerchants : useOwnMerchants}
    />
  );
}

/** A search over the merchants of a member, which are already loaded. */
function useOwnMerchants(text: string) {
  const { memberships } = useSession();
  const found = memberships.filter(({ name }) => nameKey(name).includes(nameKey(text)));
  return { data: found.slice(0, SHOWN_MAX).map(optionOf), isError: false };
}
