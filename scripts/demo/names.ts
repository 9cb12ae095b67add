const words = (text: string) => text.trim().split(/\s+/);

export const FIRST_NAMES = words(`
  Ana Maria Beatriz Carolina Catarina Clara Conceição Filipa Francisca Helena Inês Joana Leonor Luísa Madalena
  Mafalda Margarida Marta Matilde Rita Sara Sofia Teresa Vitória Afonso Álvaro André António Bruno Carlos Daniel
  Diogo Duarte Eduardo Filipe Francisco Gonçalo Henrique Hugo João José Lourenço Luís Manuel Martim Miguel Nuno
  Paulo Pedro Rodrigo Rui Salvador Sebastião Simão Tiago Tomás Vasco
`);

export const SURNAMES = words(`
  Almeida Alves Araújo Azevedo Baptista Barbosa Barros Borges Branco Brito Cardoso Carneiro Carvalho Castro Coelho
  Correia Costa Cruz Cunha Esteves Faria Fernandes Ferreira Fonseca Freitas Gomes Gonçalves Guerreiro Leal Leite
  Lopes Machado Magalhães Marques Martins Matos Melo Mendes Monteiro Morais Moreira Mota Moura Neves Nogueira Nunes
  Oliveira Pacheco Paiva Pereira Pinheiro Pinto Pires Ramos Reis Ribeiro Rocha Rodrigues Santos Saraiva Silva Simões
  Soares Sousa Tavares Teixeira Valente Vaz Vicente Vieira Xavier
`);

export const STREETS = `
  Rua da Prata, Rua de Santa Catarina, Avenida da Liberdade, Rua do Almada, Rua das Flores, Travessa do Carmo, Largo da Sé,
  Rua da Boavista, Rua Dr. António José de Almeida, Praceta das Oliveiras, Rua 5 de Outubro, Avenida 25 de Abril,
  Calçada da Estrela
`
  .trim()
  .split(/,\s+/);

/** The towns with their weights among the orders and the first number of their postal codes. */
export const TOWNS: Record<string, readonly [weight: number, town: readonly [string, number]]> = {
  lisbon: [30, ['Lisboa', 1000]],
  porto: [19, ['Porto', 4000]],
  braga: [7, ['Braga', 4700]],
  coimbra: [6, ['Coimbra', 3000]],
  setubal: [4, ['Setúbal', 2900]],
  aveiro: [4, ['Aveiro', 3800]],
  faro: [4, ['Faro', 8000]],
  funchal: [2, ['Funchal', 9000]],
};
