import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    description: 'Who changed what, when and from where. Entries are never deleted.',
    ownDescription: 'Who changed what at this merchant, when and from where. Entries are never deleted.',
    ownersOnly: 'For owners only',
    ownersOnlyText: 'Only owners can see who changed what.',
    counted: (count: string, one: boolean) => (one ? '1 entry' : `${count} entries`),
    what: 'What',
    anything: 'All actions',
    who: 'Who',
    anybody: 'Everyone',
    noPerson: 'No person with that email',
    when: 'When',
    details: 'Details',
    from: (address: string) => `from ${address}`,
    none: 'No entries',
    noneText: 'No entries match. Change the filters.',
  },
  pt: {
    description: 'Quem alterou o quê, quando e de onde. Os registos nunca são eliminados.',
    ownDescription:
      'Quem alterou o quê neste comerciante, quando e de onde. Os registos nunca são eliminados.',
    ownersOnly: 'Só para proprietários',
    ownersOnlyText: 'Só os proprietários podem ver quem alterou o quê.',
    counted: (count, one) => (one ? '1 registo' : `${count} registos`),
    what: 'Ação',
    anything: 'Todas as ações',
    who: 'Quem',
    anybody: 'Todos',
    noPerson: 'Nenhuma pessoa com esse e-mail',
    when: 'Quando',
    details: 'Detalhes',
    from: (address) => `de ${address}`,
    none: 'Sem registos',
    noneText: 'Nenhum registo corresponde. Altere os filtros.',
  },
});
