# What the house says outside of any game: wallets, help, settings, refusals.
# No particle hangs on a variable: people are 님, and everything else is followed by a noun of our own.

credits = { $amount }크레딧
amount = { $credits }
name = { $who }님
# How a player of the house is told from people: in brackets, which people’s names are kept from imitating.
house-player = { $name } (하우스)
word = { $word }
# !set room language에 폴더 이름 대신 쓸 수 있는 이름. /로 구분해요.
language-names = 한국어 / 한국말 / Korean
nothing = { "" }
and-more = { $shown } 외 { $more }
addressed = @{ $who }: { $text }
addressed-crowd = { $crowd }{ $more ->
    [0] {""}
   *[other] {" "}외 { $more }명
}: { $text }
crowd-name = @{ $who }

role-viewer = 시청자
role-regular = 단골
role-subscriber = 구독자
role-vip = VIP
role-moderator = 매니저
role-broadcaster = 스트리머
role-least = { $role } 이상

# Wallets
credits-of = { $who }님은 { $balance } 보유 중이에요.
credits-of-ranked = { $who }님은 { $balance } 보유 중이에요({ $rank }).
credits-of-rows = 보유 현황: { $rows }.
credits-of-row = { $who }님 { $balance }
credits-of-ranked-rows = 보유 현황: { $rows }.
credits-of-ranked-row = { $who }님 { $balance }({ $rank })
top = 부자 순위: { $rows }.
top-row = { $place }위 { $who }님 { $balance }
top-own = 내 순위: { $row }.
top-watched = 오래 본 순위: { $rows }.
top-watched-row = { $place }위 { $who }님 { $hours }시간 { $minutes }분
top-won = 최근 { $days }일 { $game } 수익 순위: { $rows }.
top-season = { $game } 시즌 { $number }: { $rows }.
top-gone = { $row } (나감)
top-none = 그 순위에는 아직 아무도 없어요.
given = { $who }님이 { $taker }님에게 { $amount } 선물했어요!
give-yourself = 자기 자신에게는 선물할 수 없어요.
too-few-credits = { $held ->
    [0] { currency } 잔액이 0이에요. !claim 입력하면 받을 수 있고, 방송을 봐도 조금씩 쌓여요.
   *[other] 잔액이 모자라요. 지금 { $balance }뿐이에요. 더 적게 쓰거나 all이라고 써 보세요.
  }
too-few-to-join = { $held ->
    [0] { currency } 잔액이 0이에요. !claim 입력하면 받을 수 있고, 방송을 봐도 조금씩 쌓여요.
   *[other] 잔액이 모자라요. 지금 { $balance }뿐인데, 참가하려면 { $entry } 있어야 해요.
  }
member-unknown = “{ $name }”: 여기서 본 적 없는 이름이에요. 다시 확인해 주세요.
member-bot = “{ $name }”: 봇이라서 함께할 수 없어요.
member-ambiguous = “{ $name }”: 같은 이름이 여럿이라 아무것도 하지 않았어요.

# Amounts and numbers
not-an-amount = “{ $text }”: 금액이 아니에요. 69, 5k, 1m, 25%, half, all처럼 입력해 주세요.
amount-unclear = “{ $text }”: 두 가지로 읽힐 수 있어요. 1500, 1,500, 15k처럼 정수로 입력해 주세요.
amount-signed = “{ $text }”: 부호 없이 { $amount }만 입력해 주세요.
amount-spaced = “{ $text }”: 중간에 빈칸이 있어요. 빈칸 없이 { $number }처럼 붙여서 입력해 주세요.
amount-out-of-range = “{ $text }”: 범위를 벗어났어요. 금액은 1부터 { $most }까지 가능해요.
not-a-number = “{ $text }”: { $least }부터 { $most }까지의 정수로 입력해 주세요.
usage = 이렇게 입력해 주세요: { $command }
for-honour = 판돈 없이
for-stake = 판돈 { $stake }
for-stake-each = 판돈 각자 { $stake }
twice = “{ $text }”: 하나가 더 많아요. { $about } 이미 정했어요: “{ $first }”.
twice-cards = 카드 수는
twice-keep = 가질 장수는
twice-penalty = 벌점 방식은
twice-parameter = 벌점 값은
twice-rounds = 라운드 수는
twice-stake = 판돈은
stake-too-small = 여기서는 최소 { $least } 걸어야 해요.
stake-too-large = 여기서는 최대 { $most }까지 걸 수 있어요.
stakes-crossed = 최소 판돈({ $least })이 최대 판돈({ $most })보다 커질 수는 없어요.
stakes-off = 여기서는 아무것도 걸지 않아요. 판돈을 빼고 판돈 없이 해 보세요.
house-strategy-exact = { $strategy } 전략은 이길 수 있어요. 최선으로 두면 판돈의 { $back }%가 돌아와요. 판돈 없이만 쓸 수 있으니 먼저 !set { $word } stakes off 하세요.
house-strategy-searched = { $strategy } 전략은 이길 수 있어요. 찾은 최선의 수로 판돈의 { $back }%가 돌아와요. 판돈 없이만 쓸 수 있으니 먼저 !set { $word } stakes off 하세요.

# Tables
no-table = 지금 하고 있는 { $game } 판이 없어요. { $word } 입력하고 시작해 보세요!
start-nothing = 바로 시작할 게 없어요. !start는 다른 사람을 혼자 기다리고 있을 때 써요.
nothing-to-cancel = 여기에는 취소할 { $game } 판이 없어요.
cancel-own = 직접 하고 있는 { $game } 판은 취소할 수 없어요. 다른 매니저가 취소하거나, 아니면 시간이 되어 끝날 때까지 진행돼요.
cancel-but-own = 직접 하고 있는 판은 그대로 진행돼요. 그 판은 다른 매니저만 취소할 수 있어요.
nothing-to-cancel-of = { $who }님이 지금 하고 있는 { $game } 판은 없어요.
tables-full = 지금 이미 { $most }명이 하고 있어요. 누군가 끝나면 { $word } 다시 입력해 주세요.
thought-enough = 계산이 오래 걸리는 요청을 너무 많이 하셨어요. { $seconds }초 뒤에 다시 해 주세요.
thoughts-full = 지금은 생각할 것이 너무 많아서 이번 것은 따로 말씀드리지 못해요.
table-over = 이미 끝난 판이에요.
too-late = 한발 늦었어요.
cooldown = 아직 열기가 식지 않았어요. { $seconds }초 뒤에 { $word } 다시 입력해 주세요.
rested = 열기가 식었어요! { $game } 한 판 더? { $word } 입력!
starters-only = 여기서 판을 여는 건 { $role }만 할 수 있어요. 참가는 누구나 환영!
table-void-whose = { $who }님의{" "}
table-void-by = { $whose }{ $game }: { $who }님이 판을 취소했어요{ $stakes }.
table-void = { $whose }{ $game }: 판이 취소됐어요{ $stakes }.
table-void-stakes = . 판돈은 모두 돌려드렸어요{ $spent ->
    [0] {""}
   *[other] . 포인트로 건 판돈은 모집이 끝날 때 이미 쓰여서 돌려드리지 못했어요
  }
game-gone = 지난 게임
cluster-moment = 잠시만요. { currency }도 게임도 안전하고, 명령은 전달되는 대로 답해 드릴게요.
cluster-again = 처리는 되었지만 답이 전해지지 못했어요. 다시 하기 전에 !credits 명령으로 확인해 주세요.
look-again = 데이터베이스가 응답하지 않아 처리되었는지 알 수 없어요. 다시 하기 전에 !credits 명령으로 확인해 주세요.
operator-plays-not = 봇을 운영하는 사람에게는 지갑이 없어요. 채팅에서, 또는 자기 계정으로 게임해 주세요.
try-again = 방금은 처리하지 못했고 바뀐 것도 없어요. 다시 시도해 주세요.

# Help
help-overview = 게임: { $games }. 자세한 설명은 !help 뒤에 게임 이름을 붙여 주세요.
help-services = 그 밖의 명령어: { $services }.
help-answers = 선택지: { $words }. 자세한 설명은 !help 뒤에 선택지 이름을 붙여 주세요.
help-command = { $command } — { $help }
# A game in one message: what it is, how to join, and where the rest is
help-game = { $about } 참가하기: { $example } · 더 보기: !help { $word } more
help-game-rules = { $about } 참가하기: { $example } · 규칙: !{ $word } rules · 더 보기: !help { $word } more
help-stands-for = { $word } → { $command }: 같은 명령어예요.
help-unknown = “{ $text }”: 그런 명령어는 없어요. 전체 목록은 !help
help-credits = 내 { currency } 잔액이나 다른 사람의 잔액을 보여줘요.
help-top = 부자 순위와 내 순위를 보여줘요. 시청 시간, 지난 시즌, 게임별 수익 순위도 볼 수 있어요.
help-give = 내 { currency } 일부를 다른 사람에게 선물해요.
help-season = 시즌이 얼마나 진행됐는지, 지난 시즌은 누가 이겼는지 알려줘요.
help-help = 어떤 게임과 명령어가 있는지 알려줘요. 명령어 하나만 자세히 볼 수도 있어요.
moves = 지금 할 수 있는 것: { $moves }.
moves-row = { $move } ({ $label })
moves-none = 지금은 고를 것이 없어요. 게임 목록은 !help 입력!
help-moves = 지금 하고 있는 게임에서 무엇을 할 수 있는지 알려줘요.
slash-name-moves = 할일
help-start = 나 혼자 다른 사람을 기다리고 있으면 바로 시작해요.
help-playing = 지금 여기서 어떤 게임을 몇 명이 하고 있는지, 다음으로 넘어갈 때까지 얼마나 남았는지 알려줘요.
slash-name-playing = 진행중
slash-name-start = 바로시작
playing = 지금 하고 있는 게임: { $rows }.
playing-row = { $game } { $players }명
playing-row-timed = { $game } { $players }명, 늦어도 { $wait } 뒤에 다음으로
playing-nothing = 지금 여기서 하고 있는 게임은 없어요. 게임 목록은 !help
help-preset = 미리 준비된 설정을 보여 주거나 골라요. 바꾼 설정을 덮어쓰게 되면 먼저 물어봐요.
help-cancel = 진행 중인 게임을, 또는 지정한 사람의 판만 취소하고 판돈을 모두 돌려줘요. 직접 하고 있는 판은 취소할 수 없어요. -- 뒤에 이유를 적을 수 있어요.
slash-cancel = 게임을 취소하고 판돈을 모두 돌려줘요. 직접 하고 있는 판은 안 돼요.

# Settings
not-allowed = { $role }만 쓸 수 있는 명령어예요.
game-unknown = “{ $text }”: 그런 게임은 없어요. 있는 게임: { $known }.
setting-unknown = “{ $key }”: 그런 설정은 없어요. 있는 설정: { $known }.
setting-empty = { $key }: 비워 둘 수 없어요. 가능한 값: { $expected }.
setting-wrong = { $key }: “{ $value }” 값은 쓸 수 없어요. 가능한 값: { $expected }.
setting-changed = { $game } 설정 변경: { $key } { $old } → { $new }.
setting-made = { $game } 설정 변경: { $key } → { $new }.
setting-switched-on = { $game } 설정 변경: { $key } 켜짐.
setting-switched-off = { $game } 설정 변경: { $key } 꺼짐.
game-switched-on = 이제 여기서 { $game } 할 수 있어요!
game-switched-off = 이제 여기서는 { $game } 할 수 없어요.
games-switched = 게임 설정 변경: { $changes }.
games-now-paused = 게임을 잠시 멈췄어요. 다시 시작할 때까지 새 게임은 열리지 않아요.
games-now-going = 다시 게임을 할 수 있어요!
alias-now = 이제 { $word } 입력하면 { $command } 명령이 실행돼요.
alias-gone = 이제 { $word } 명령은 쓸 수 없어요.
setting-difference-made = { $key } → { $new }
setting-difference-on = { $key } 켜짐
setting-difference-off = { $key } 꺼짐
setting-difference = { $key } { $old } → { $new }
settings-changed = { $game } 설정 변경: { $changes }.
settings-same = { $game } 설정: 모두 이미 그대로예요.
setting-without-value = { $key }: 값이 없어요.
setting-twice = { $key }: 두 번 나와요. 설정마다 한 번만 써 주세요.
setting-next-table = 지금 열린 판은 처음 설정 그대로 진행돼요.
setting-row = { $key } { $value }
settings = { $game }: { $preset }{ $rows }.
settings-preset = 프리셋 { $preset };{" "}
preset-unknown = “{ $preset }”: 그런 프리셋은 없어요. 있는 프리셋: { $known }.
preset-chosen = { $game }: 다음 판부터 { $preset } 프리셋으로 진행해요.
preset-overwrites = { $game }: 다음 판부터 { $preset } 프리셋으로 진행해요. 바뀌는 설정: { $lost }. 되돌리려면 !undo.
preset-ask = { $game }의 { $preset } 프리셋을 고르면 그동안 바꾼 설정이 덮어써져요: { $lost }.
presets = { $game }: { $rows }.
preset-row = { $preset } – { $what }
preset-row-chosen = { $preset } (지금) – { $what }
preset-values = { $rows }
preset-default = 기본값
presets-how = 고르려면 !preset { $game } 이름
setting-transition = { $key } { $old } → { $new }
expects-yes-no = yes 또는 no
expects-one-of = { $choices } 중 하나
expects-language = { $choices } 중 하나, 또는 한국어 같은 언어 이름
expects-whole = { $least }~{ $most }{ $unit } 사이의 정수
expects-time = { $least }~{ $most } 사이의 시간(숫자만 쓰면 { $unit } 단위)
counts-seconds = 초
counts-minutes = 분
counts-hours = 시간
counts-days = 일
unit-none = { "" }
unit-credits = { currency }
unit-people = 명
setting-room-talk = 봇이 말하는 양: quiet(조용히), normal(보통), full(전부)
setting-preset = 미리 갖춰진 설정
setting-permissions = 그 명령을 쓸 수 있는 가장 낮은 역할
command-unknown = “{ $word }”: 그런 명령은 없어요.
setting-credits-start = 새 멤버가 처음에 받는 크레딧

# Seasons
season-now = { $game } 시즌 { $number }: 지금까지 { $tables }판, { $limit }. { $resets }
season-limit-tables = { $tables }판을 채우면 끝나요
season-limit-days = { $days }일이 지나면 끝나요
season-limit-none = 끝나는 때는 정해지지 않았어요
season-last = 지난 시즌: { $rows }.
season-over = { $game } 시즌 { $number } 종료! { $rows }. 이제 새 시즌이 시작돼요! { $resets }
season-resets-nothing = 새 시즌에도 모든 것이 그대로예요.
season-resets-careers = 새 시즌에는 커리어(직업, 예금, 경비원, 확률)가 처음부터 시작되고, { currency } 잔액은 그대로예요.
season-resets-everything = 새 시즌에는 커리어와 { currency } 잔액이 처음부터 시작돼요.
no-season = “{ $text }”: 시즌이 있는 게임 중에 그런 이름은 없어요.

# 공정성

chain-made = 앞으로 열릴 { $length }판의 비밀이 정해졌어요: 체인 { $head }
chain-lost = 이 방의 판들에 정해 둔 비밀을 더는 읽을 수 없어 새로 정했어요: 체인 { $head }
chain-lost-void = { $games } 판의 비밀을 더는 읽을 수 없어 진행 중이던 판을 취소하고 판돈을 모두 돌려드렸어요. 비밀을 새로 정했어요: 체인 { $head }
table-bound = 판 { $table }: 체인 { $chain }의 { $link }번째 고리, 조건 { $terms }
table-revealed = 판 { $table } 종료: 시드 { $seed }, 체인 { $chain }의 { $link }번째 고리, 기록 { $record }. !verify { $table } 입력하면 확인할 수 있어요.
table-unrevealed = 판 { $table } 종료: 시드를 잃어버렸어요. 기록 { $record }
table-resumed = { $game }: 잠시 멈췄던 판이 이어져요. { $seconds }초 남았어요.
table-resumed-hidden = { $game }: 잠시 멈췄던 판이 이어져요.
mint-exhausted = 이곳의 { currency } 총량이 셀 수 있는 한계에 이르러 아무것도 하지 않았어요.
games-held = 게임을 시작하기 전에 장부를 확인하고 있어요. 잠시 후 다시 해 주세요.
games-lost = 데이터베이스 연결이 끊겨 잠시 게임을 쉬어요. 진행 중이던 판은 그대로 있고, { currency } 잔액은 안전해요.
games-stopped = 장부가 맞지 않아 운영자가 확인할 때까지 게임을 쉬어요. { currency } 잔액은 안전해요.
stopping-unheard = 이제 꺼져요. 마지막 명령 { $count }개는 처리하지 못했으니 돌아오면 다시 보내 주세요.
fair-overview = 판의 모든 추첨은 판이 열리기 전에 정해진 비밀과 여러분의 메시지에서 나와요. 비밀은 끝날 때 공개되고, !verify 뒤에 판 이름을 붙이면 판을 다시 돌려 볼 수 있어요. 이 방에서 끝까지 진행된 판은 { $settled }판, 취소된 판은 { $void }판이에요{ $by }. 게임별로 보기: { $words }
fair-void = {" "}({ $rows })
fair-void-by = { $who }님 { $count }판
fair-void-by-bot = 봇 스스로 { $count }판
fair-standing = 지금 { $game } 판 { $table }: 체인 { $head }의 { $link }번째 고리, 조건 { $terms }
fair-fixed = 판 { $table }, 하우스가 이미 정한 것(SHA-256): { $rows }
fair-hidden = { $who }님 { $digest }
fair-last = { $game }의 지난 판은 { $table }: 체인 { $head }의 { $link }번째 고리, 조건 { $terms }, 기록 { $record }. !verify { $table } 입력하면 다시 돌려 보고 시드를 알려드려요.
fair-next = 어떤 게임이든 이 방의 다음 판에 쓸 비밀은 이미 정해졌어요: 체인 { $head }의 { $link }번째 고리. 시드를 { $link }번 해시하면(rabble-chain-v1과 시드의 SHA-256) 체인의 이름이 나와요.
verify-sound = 판 { $table } 확인 완료: { $turns }개의 차례를 다시 돌려도 결과가 같고, 송금은 { $transfers }건이에요; { $end }.
verify-hashes = 판 { $table }: 시드 { $seed }, 체인 { $head }의 { $link }번째 고리, 조건 { $terms }, 기록 { $record }
verify-opened = 판 { $table }, 하우스가 미리 정한 것(라운드, 이름, 논스, 선택. 논스 16바이트와 선택을 이어 붙인 SHA-256이 해시): { $rows }
verify-choice = { $number } { $who }님 { $nonce } { $choice }
verify-many = 판 { $table }: 하우스가 미리 정한 것이 { $count }개예요. !verify { $table } 1 처럼 라운드(1~{ $last })를 붙이면 알려드려요.
verify-nothing-fixed = 판 { $table }의 { $number }라운드에는 하우스가 정한 것이 없어요.
verify-settled = 정산이 끝났고 팟은 비어 있어요
verify-void = 취소되었고 판돈은 모두 돌아갔어요
verify-broken = 판 { $table }: 확인되지 않아요! 운영자에게 다음 명령의 결과를 요청하세요: chatbot verify { $table }
verify-unknown = 이 방에서 { $text } 판은 진행되지 않았어요. 판의 이름은 !history 에, 지난 판은 !fair 에 있어요.
verify-open = 판 { $table }: 아직 진행 중이에요. 비밀은 끝나면 공개돼요.
verify-other-rules = 판 { $table }: 이 버전과 다른 규칙으로 진행되어 여기서는 다시 돌릴 수 없어요.
verify-lost = 판 { $table }: 비밀이 진행 중에 사라져서 취소됐고, 다시 돌려 볼 수 없어요.
help-fair = 추첨을 확인하는 방법, 게임을 붙이면 지금 판과 다음 판과 지난 판의 해시
slash-fair = 추첨을 확인하는 방법과 게임의 판들을 묶는 해시를 알려줘요.
help-verify = 끝난 판을 다시 돌려 모든 추첨과 송금을 확인하고 해시와 시드를 알려줘요. 라운드를 붙이면 그때 하우스가 정한 것
slash-verify = 끝난 판을 다시 돌려 모든 추첨과 송금을 확인해요.
option-credits-member = 누구의 크레딧인지, 비워 두면 내 것
option-top-ranking = credits, watched, season 또는 수익 순위를 볼 게임
option-top-count = 몇 명까지 보여 줄지
option-give-member = 받는 사람
option-give-amount = 69, 1k, 25%, half, all 같은 크레딧
option-season-game = 시즌을 볼 게임
option-help-topic = 게임이나 명령
option-preset-game = 게임
option-preset-name = 미리 만든 설정의 이름
option-cancel-game = 중단할 게임
option-cancel-member = 이 사람이 하고 있는 판만
option-cancel-reason = 기록에 남길 이유
option-fair-game = 판을 확인할 게임
option-verify-table = 끝난 판의 이름
option-verify-round = 이 라운드에 하우스가 정한 것만
raid-welcome = { $who }님과 레이더 { $raiders }명, 어서 오세요! !help 로 할 수 있는 게임을 볼 수 있어요.
