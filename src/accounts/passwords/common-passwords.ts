/**
 * The most common passwords, normalised to lower-case letters and digits. The list is short because the minimum
 * length excludes most of the usual ones.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 012345678901 0123456789012
  098765432109 987654321098 0987654321098 123456123456 123123123123 123456654321 112233445566 111222333444
  abcdefghijkl abcdefghijklm abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abcdef123456 abcdefgh1234 abcd12345678
  abc123456789 abc1234567890 a123456789012 a1234567890 aa1234567890 123456789abc 1234567890abc 1234567890qwe
  qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiop12345 qwertyuiop123456 qwertyuiopasdf qwertyuiopasdfgh
  qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789
  qwertyqwerty qwerty123qwerty 123456qwerty 123456qwertyuiop 1234567890qwertyuiop asdfghjkl123 asdfghjkl1234
  asdfghjklzxcvbnm asdfasdfasdf zxcvbnm12345 zxcvbnm123456 zxcvbnmasdfghjkl 1q2w3e4r5t6y 1q2w3e4r5t6y7u
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc qazwsxedcrfv qazwsxedc123
  qwertzuiop12 qwertzuiop123 qwertz123456 qwertzuiopasdfgh azertyuiop12 azertyuiop123 azerty123456 azertyuiopqsdfgh
  password0000 password1111 password123 password1234 password12345 password123456 password1234567 password12345678
  password123456789 password2020 password2021 password2022 password2023 password2024 password2025 password2026
  passwordpassword mypassword123 mypassword1234 newpassword newpassword1 newpassword123 changepassword
  changeme1234 changeme12345 changeme123456 changemenow changemeplease changemechangeme pleasechangeme secretpassword
  thisismypassword defaultpassword testpassword testpassword123 p4ssw0rd1234 passw0rd1234 passw0rd123456
  passwort1234 passwort12345 passwort123456 meinpasswort meinpasswort123 hallohallo12 hallo1234567
  motdepasse123 motdepasse1234 motdepasse12345 monmotdepasse bonjour123456 contrasena123 contrasena1234
  administrator administrator1 administrator12 administrator123 administrator1234 administrador
  adminadminadmin adminadmin123 admin1234567 admin12345678 admin123456789 superadmin123 superuser123 superuser1234
  rootrootroot toortoortoor letmein12345 letmein123456 letmeinletmein welcome12345 welcome123456 welcomewelcome
  iloveyou1234 iloveyou12345 iloveyou123456 iloveyouforever iloveyousomuch sunshine1234 sunshine12345 princess1234
  princess12345 football1234 football12345 baseball1234 liverpool123 michael12345 computer1234 computer12345
  internet1234 dragon123456 monkey123456 master123456 superman1234 starwars1234 trustno1trustno1 whatever1234
  correcthorsebatterystaple museum123456 museum1234567 museummuseum museumpassword catalogue123 collection123
  `
    .trim()
    .split(/\s+/),
);
