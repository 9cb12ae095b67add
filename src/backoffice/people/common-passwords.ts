const WORDS = `
password passw0rd p@ssword p@ssw0rd pass passe passwort contrasena contraseña motdepasse senha palavrapasse palavra
palavrachave minhasenha mypassword newpassword changeme changeit letmein welcome bemvindo benvindo hello hellothere
admin administrator administrador root toor user utilizador guest convidado test teste testing demo default padrao secret segredo master owner viewer operator
operador backoffice payment payments pagamento pagamentos mbway multibanco sibs ifthenpay loja minhaloja shop store commerce checkout cliente clientes
login signin access acesso entrar office computer computador internet google facebook instagram youtube microsoft windows apple android samsung
monkey dragon football futebol baseball basketball soccer hockey superman batman spiderman pokemon starwars harrypotter naruto minecraft fortnite
sunshine princess princesa flower shadow michael michelle jessica jordan jennifer daniel daniela andrew thomas charlie robert matthew ashley amanda nicole
anthony joshua george hannah maria mariajose mariana joana joao josemaria pedro paulo tiago miguel ricardo bruno carlos francisco antonio manuel ana catarina
beatriz carolina leonor matilde rodrigo goncalo duarte afonso martim diogo andre ines sofia rita teresa marta lisboa lisbon porto coimbra braga faro aveiro setubal
portugal portuguesa brasil brasileiro espana angola mocambique benfica slbenfica sportingcp sporting fcporto portofc braguinha vitoria cristiano ronaldo
cristianoronaldo cr7 eusebio figo mourinho selecao iloveyou iloveyou1 iloveu teamo amote amoteamor meuamor amor amorzinho amigo amigos familia deus jesus jesuscristo
jesuschrist fatima nossasenhora senhor feliz felicidade obrigado saudade caralho merda foda fodase puta estrela borboleta chocolate morango cereja
coracao querida querido lindo linda gostosa bebe anjo anjinho gatinha gatinho cachorro cavalo tigre leao lobo aguia dragao
cheese pepper ginger cookie banana orange lovely loveme lover forever freedom liberdade whatever trustno1 mustang ferrari porsche mercedes corvette harley yamaha honda toyota
killer hunter ranger buster soldier pirate ninja samurai phoenix merlin matrix terminator summer winter autumn spring verao inverno outono primavera
january february monday friday sunday janeiro fevereiro segunda sexta domingo natal christmas liverpool chelsea arsenal barcelona realmadrid juventus
qwerty qwertyuiop qwerty123 qwer azerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5y6 1a2b3c4d
abc123 abcabc a1b2c3 a1b2c3d4 a1b2c3d4e5f6 aa123456 123abc 123qwe 123123 12341234 112233 121212 131313 696969 159753 147258 147258369 741852963 789456123 987654321 1234554321 123321 123454321
correcthorsebatterystaple correct horse battery staple correcthorse thisismypassword thisisapassword ilovemyself mynameis nopassword nopasswords superpassword
supersecret topsecret opensesame abretesesamo abracadabra
`;

/** Common passwords and words, Portuguese and international, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  WORDS.split(/\s+/).filter((word) => word !== ''),
);

const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiopasdfghjklçzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  '112233445566778899',
  'aabbccddeeffgghhiijjkk',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
];

/** Rows of keys and letters, forwards and backwards. */
export const COMMON_RUNS: readonly string[] = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
