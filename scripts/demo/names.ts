/** Invented people: every address ends in `.example`, so that nothing can ever reach anybody. */
export const FIRST_NAMES = [
  ...[
    'Ana',
    'Maria',
    'Beatriz',
    'Carolina',
    'Catarina',
    'Clara',
    'Conceição',
    'Filipa',
    'Francisca',
    'Helena',
  ],
  ...['Inês', 'Joana', 'Leonor', 'Luísa', 'Madalena', 'Mafalda', 'Margarida', 'Marta', 'Matilde', 'Rita'],
  ...['Sara', 'Sofia', 'Teresa', 'Vitória', 'Afonso', 'Álvaro', 'André', 'António', 'Bruno', 'Carlos'],
  ...['Daniel', 'Diogo', 'Duarte', 'Eduardo', 'Filipe', 'Francisco', 'Gonçalo', 'Henrique', 'Hugo', 'João'],
  ...['José', 'Lourenço', 'Luís', 'Manuel', 'Martim', 'Miguel', 'Nuno', 'Paulo', 'Pedro', 'Rodrigo', 'Rui'],
  ...['Salvador', 'Sebastião', 'Simão', 'Tiago', 'Tomás', 'Vasco'],
] as const;

export const SURNAMES = [
  ...['Almeida', 'Alves', 'Araújo', 'Azevedo', 'Baptista', 'Barbosa', 'Barros', 'Borges', 'Branco', 'Brito'],
  ...['Cardoso', 'Carneiro', 'Carvalho', 'Castro', 'Coelho', 'Correia', 'Costa', 'Cruz', 'Cunha', 'Esteves'],
  ...['Faria', 'Fernandes', 'Ferreira', 'Fonseca', 'Freitas', 'Gomes', 'Gonçalves', 'Guerreiro', 'Henriques'],
  ...['Leal', 'Leite', 'Lopes', 'Lourenço', 'Machado', 'Magalhães', 'Marques', 'Martins', 'Matos', 'Melo'],
  ...['Mendes', 'Monteiro', 'Morais', 'Moreira', 'Mota', 'Moura', 'Neves', 'Nogueira', 'Nunes', 'Oliveira'],
  ...['Pacheco', 'Paiva', 'Pereira', 'Pinheiro', 'Pinto', 'Pires', 'Ramos', 'Reis', 'Ribeiro', 'Rocha'],
  ...[
    'Rodrigues',
    'Santos',
    'Saraiva',
    'Silva',
    'Simões',
    'Soares',
    'Sousa',
    'Tavares',
    'Teixeira',
    'Valente',
  ],
  ...['Vaz', 'Vicente', 'Vieira', 'Xavier'],
] as const;

export const MAIL_HOSTS = ['correio.example', 'mail.example', 'caixa.example', 'post.example'] as const;

/** Town, its weight among the orders, and how its postal codes begin. */
export const TOWNS = [
  ['Lisboa', 30, 1000],
  ['Porto', 19, 4000],
  ['Vila Nova de Gaia', 8, 4400],
  ['Braga', 7, 4700],
  ['Coimbra', 6, 3000],
  ['Almada', 5, 2800],
  ['Setúbal', 4, 2900],
  ['Aveiro', 4, 3800],
  ['Leiria', 4, 2400],
  ['Faro', 4, 8000],
  ['Évora', 3, 7000],
  ['Guimarães', 3, 4800],
  ['Viseu', 2, 3500],
  ['Funchal', 2, 9000],
  ['Ponta Delgada', 1, 9500],
] as const;

export const STREETS = [
  ...['Rua da Prata', 'Rua de Santa Catarina', 'Avenida da Liberdade', 'Rua do Almada', 'Rua das Flores'],
  ...['Travessa do Carmo', 'Largo da Sé', 'Rua da Boavista', 'Avenida dos Aliados', 'Rua Nova do Carvalho'],
  ...['Rua Dr. António José de Almeida', 'Praceta das Oliveiras', 'Rua do Mercado', 'Rua 5 de Outubro'],
  ...['Avenida 25 de Abril', 'Rua dos Pescadores', 'Calçada da Estrela', 'Rua da Alegria', 'Rua do Sol'],
] as const;
