# 자리: 자기 브라우저에서 드는 패.

slash-seat = 내 패를 브라우저에서 열어요. 페이지의 글자를 붙이면 그 브라우저가 내 것이 되고, end는 모두 끝내요.
help-seat = 내 패를 브라우저에서 열어요. 페이지에 나온 여섯 글자를 붙이면 그 브라우저가 내 것이 되고, end는 모두 끝내요.
option-seat-code = 내 페이지에 나온 여섯 글자, 또는 end
seat-link = 10분 안에 이 주소를 열면 브라우저에서 패를 들 수 있어요. 혼자만 쓰는 주소이고 한 번만 열려요: { $address }
seat-link-local = 10분 안에 봇이 실행되는 컴퓨터에서 이 주소를 여세요. 혼자만 쓰는 주소이고 한 번만 열려요: { $address }
seat-elsewhere = 휴대폰에서 { $address } 주소를 여세요. 여섯 글자가 나오면 여기에 !seat 뒤에 붙여 입력하세요. 그러면 패가 거기에 있어요.
seat-nowhere = 여기에는 휴대폰으로 열 수 있는 주소가 없어요. 채팅에서 플레이하세요.
seat-opened = { $count ->
    [1] { $names }: 코드를 보여 준 브라우저가 이제 내 자리예요. 내 브라우저가 아니면 !seat end를 입력하세요.
   *[other] { $names }: 코드를 보여 준 브라우저가 이제 각자의 자리예요. 내 브라우저가 아니면 !seat end를 입력하세요.
}
seat-code-unknown = 그런 코드가 없거나, 시간이 지났거나, 이미 쓰였어요. 내 페이지에서 새 코드를 받으세요.
seat-codes-unknown = 쓸 수 없는 코드가 { $count }개 있어요. 없거나, 시간이 지났거나, 이미 쓰였어요.
seat-code-tries = 틀린 코드를 너무 많이 입력했어요. 몇 분 뒤에 다시 해 보세요.
seat-code-stake = 코드로 연 자리에서는 지금 { $most }까지 걸 수 있어요. 채팅에 입력하거나 페이지에서 로그인하세요.
seat-ended = 내 자리를 모두 끝냈어요. 이제 아무도 내 패를 들고 있지 않아요.
seat-none = 어떤 브라우저에도 내 자리가 없어요.
seat-says-not = 자리에서는 게임을 하고 지갑, 내역, 순위, 확률을 볼 수 있어요. 그 밖의 것은 채팅에 입력하세요.
seat-code-stakes-not = 코드로 연 자리에서는 더 걸 수 없어요. 채팅에 입력하거나 페이지에서 로그인하세요.
seat-code-joins-not = 채팅으로 연 자리예요. 채팅에서 들어간 판만 플레이해요. 채팅에서 참가하거나 페이지에서 로그인하세요.
seat-no-room = 아직 이곳의 어떤 채팅에도 없었어요. 먼저 채팅에서 말해 보세요.
seat-hand-here = 나만 보는 내 패: { $address }
seat-closed = 여기에는 자리가 없어요. chatbot run으로 봇을 시작하세요.
seat-here = 이미 페이지에 있어요. 패도 거기에 있어요.
setting-credits-seat_stakes = 채팅의 코드로 연 자리에서 한 사람이 하루(UTC)에 걸 수 있는 전부. 0이면 걸 수 없고, 채팅에서 들어간 판만 플레이해요

# 자리 화면의 글입니다. NAME은 이름으로 바뀝니다.

seat-name = 내 자리 · Rabble
seat-login = 자리에 앉기
seat-login-code = 채팅으로
seat-login-code-how = 여섯 글자를 플레이하는 채팅에 입력하면 패가 이 페이지에 나와요. 로그인도 비밀번호도 필요 없어요.
seat-code-show = 글자 보기
seat-code-type = 채팅에 이렇게 입력하세요:
seat-code-copy = 복사
seat-code-copied = 복사했어요. 채팅에 붙여 넣으세요
seat-code-warning = 3분 안에 한 번만 쓸 수 있어요. 내 화면에 보이는 글자만 입력하고, 남이 보낸 글자는 입력하지 마세요.
seat-code-waits = 입력하기를 기다리고 있어요 …
seat-code-over = 이 글자는 시간이 지났어요.
seat-code-often = 너무 자주 시도했어요. 1분 기다려 주세요.
seat-login-twitch = Twitch로
seat-login-twitch-how = 여기에서 참가하고, 걸고, 게임을 열 수도 있어요. 비밀번호는 아무에게도 알려지지 않아요.
seat-twitch-begin = 코드로 로그인
seat-twitch-confirm = Twitch 페이지를 열고 이 코드가 나오는지 확인하세요:
seat-twitch-open = Twitch 페이지 열기
seat-twitch-warning = 내 화면에 보이는 코드만 확인하세요.
seat-login-discord = Discord로
seat-login-discord-how = 서버에서 `/seat`을 입력하세요. 나로 이 페이지를 여는 주소가 나에게만 보여요.
seat-lost = 봇이 대답하지 않아요. 다시 시도하고 있어요 …
seat-account = 누구의 자리인지
seat-you-are = NAME 님의 자리예요
seat-small = 채팅으로 연 자리예요. 채팅에서 들어간 판을 플레이해요. 여기에서 참가하고 걸려면 로그인하세요.
seat-not-you = 본인이 아닌가요? 자리를 끝내세요.
seat-end = 이 자리 끝내기
seat-end-all = 내 자리 모두 끝내기
seat-close = 닫기
seat-theme = 어둡게 또는 밝게
seat-room = 방
seat-your-move = 할 수 있는 행동:
seat-no-table = 지금은 여기에서 아무도 플레이하지 않아요.
seat-nowhere-yet = 아직 이곳의 어떤 채팅에도 없었어요. 채팅에서 말한 뒤 이 페이지를 다시 여세요.
seat-games = 게임
seat-open = 열기
seat-rests = 쉬는 중
seat-ask-credits = 지갑
seat-ask-history = 내역
seat-ask-top = 순위
seat-ask-odds = 확률
seat-won = AMOUNT 땄어요
seat-lost-credits = AMOUNT 잃었어요
seat-caught = 붙잡혔어요. AMOUNT 잃었어요
seat-even = 그대로예요
seat-won-honour = 이겼어요
seat-lost-honour = 졌어요
seat-off = 플레이하지 않았어요
