# Chicken Poker
# No particle hangs on a number or a name: those are followed by a noun of our own, or stand in brackets or behind a colon.

game-chickenpoker = 치킨 포커
chicken-title = 치킨 포커

# The lobby
chicken-opened = { $who }님이 치킨 포커 테이블을 열었어요({ $terms })! 모두 1부터 { $cards }까지의 카드를 들고 라운드마다 한 장씩 동시에 공개해요. 가장 높은 카드가 모든 점수를 가져가요. { $seconds }초 안에 !chicken 입력하고 참가하세요.
    .text-2 = 겁먹으면 지는 치킨 포커! { $who }님이 테이블을 열었어요({ $terms }). 1부터 { $cards }까지의 카드를 라운드마다 한 장씩 동시에 공개하고, 가장 높은 카드가 모든 점수를 가져가요. { $seconds }초 안에 !chicken 입력하고 참가하세요.
    .text-3 = 누가 가장 대담할까요? { $who }님의 치킨 포커({ $terms })! 모두 1부터 { $cards }까지의 카드를 한 장씩 동시에 내고, 가장 높은 카드가 모든 점수를 가져가요. { $seconds }초 안에 !chicken 입력하고 참가하세요.
chicken-joined = { $who }님 참가! 지금 테이블에는 { $players }명이에요.
chicken-you-joined = 참가했어요({ $terms }).
chicken-left = { $who }님이 나갔어요. 지금 테이블에는 { $players }명이에요.
chicken-you-left = 테이블에서 나왔어요.{ $stake ->
    [0] {""}
   *[other] {" "}판돈은 돌려받았어요.
  }
chicken-abandoned = 사람이 모자라 치킨 포커가 취소됐어요. 판돈은 모두 돌려드렸어요.
chicken-seated = 자리 추첨 결과: { $seats }. 동점 카드는 이 번호로 가려요.
chicken-seated-pot = 자리 추첨 결과: { $seats }. 동점 카드는 이 번호로 가려요. 모인 판돈: { $pot }.
chicken-seat = { $id } { $who }님

# A round
chicken-round = { $of }라운드 중 { $number }라운드: 카드를 하나 골라 !play 뒤에 번호를 붙여 귓속말해 주세요. { $seconds }초 드릴게요.
chicken-round-alone = { $of }라운드 중 { $number }라운드: 카드를 하나 골라 !play 뒤에 번호를 써 주세요. 하우스는 이미 골랐어요. { $seconds }초 드릴게요.
chicken-round-next = { $of }라운드 중 { $number }라운드: { $seconds }초 안에 !play 뒤에 번호를 써 주세요.
chicken-hands = 남은 카드: { $rows }.
chicken-hands-alike = 남은 카드는 모두 같아요: { $hand }.
chicken-held = { $who }님 { $hand }
chicken-hashes = 하우스가 정한 카드(SHA-256): { $rows }.
chicken-hash = { $who }님 { $digest }
chicken-chosen = { $who }님이 골랐어요. 남은 사람: { $waiting }명.
chicken-missing = 아직 고르지 않은 사람: { $names }.
chicken-chosen-again = { $who }님이 다시 골랐어요.
chicken-you-chose = 고른 카드: { $card }. 아직 바꿀 수 있어요.
chicken-you-chose-last = 고른 카드: { $card }.
chicken-exposed = 여기에 쓰면 다른 사람도 다 볼 수 있어요! 저에게 귓속말로 보내거나, 나만 보이는 버튼이 있으면 그 버튼을 쓰세요. 지금이라도 바꿀 수 있어요.
chicken-shown = { $of }라운드 중 { $number }라운드: { $who }님이 { $points }점 획득! { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* 시간 초과: 가장 낮은 카드)
  }
    .text-2 = { $of }라운드 중 { $number }라운드 승자는 { $who }님, { $points }점을 가져가요: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* 시간 초과: 가장 낮은 카드)
  }
    .text-3 = { $who }님에게 { $points }점! { $of }라운드 중 { $number }라운드: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* 시간 초과: 가장 낮은 카드)
  }
chicken-shown-tied = { $of }라운드 중 { $number }라운드는 동점! { $who }님이 { $points }점 획득! { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* 시간 초과: 가장 낮은 카드)
  }
    .text-2 = { $of }라운드 중 { $number }라운드: 같은 카드끼리 부딪혔어요! { $points }점은 { $who }님에게: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* 시간 초과: 가장 낮은 카드)
  }
chicken-row = { $who }님 { $card } ({ $total })
chicken-row-late = { $who }님 { $card }* ({ $total })
chicken-nonces = 공개(논스와 카드): { $rows }.
chicken-nonce = { $who }님 { $nonce } { $card }

# The end
chicken-won = { $names }이 { $points }점으로 치킨 포커에서 이겼어요!
    .text-2 = 오늘의 승자! { $names }이 { $points }점으로 치킨 포커에서 이겼어요!
    .text-3 = 가장 대담했던 { $names }, { $points }점으로 치킨 포커 승리!
chicken-won-pot = { $names }이 { $points }점으로 치킨 포커에서 이기고 모인 판돈을 가져가요: { $pot }!
    .text-2 = 오늘의 승자! { $names }이 { $points }점으로 치킨 포커에서 이기고 { $pot } 가져가요!
    .text-3 = 가장 대담했던 { $names }, { $points }점으로 치킨 포커 승리! 모인 판돈 { $pot } 가져가요!
chicken-shared = 치킨 포커 공동 우승: { $names } (각자 { $points }점)!
    .text-2 = 아무도 물러서지 않았어요! 치킨 포커 공동 우승: { $names } (각자 { $points }점)!
chicken-shared-pot = 치킨 포커 공동 우승: { $names } (각자 { $points }점)! 나눈 판돈: 각자 { $share }{ $rest ->
    [0] .
   *[other] , 앞의 { $rest }명은 1 더.
  }

# Refusals
chicken-already-in = 이미 참가했어요({ $terms }).
chicken-not-joined = 이 테이블에 참가하지 않았어요. !chicken 입력하고 참가하세요.
chicken-leave-too-late = 게임이 이미 시작돼서 나갈 수 없어요.
chicken-too-late = 이번 게임은 이미 시작했어요. 다음 게임에 참가하세요.
chicken-other-terms = 열린 테이블의 조건: 카드 1~{ $cards }, { $terms }. !chicken만 입력하면 참가돼요.
chicken-length = 카드는 { $least }부터 { $most } 사이의 수까지예요. 판돈만 정하려면 stake=50처럼 쓰세요.
chicken-word = “{ $text }”: 알 수 없는 말이에요. !chicken 6 50(카드, 판돈)처럼 쓰거나 !chicken만 입력하세요.
chicken-play-usage = !play 3처럼 가진 카드의 번호 하나만 써 주세요.
chicken-no-round = 아직 라운드가 시작되지 않았어요. 자리가 정해질 때까지 기다려 주세요.
chicken-not-in = 이번 게임에는 참가하지 않았어요. 다음 게임에 !chicken 입력하고 참가하세요.
chicken-not-held = 그 카드는 없어요. 가진 카드: { $hand }.

# Rules
chicken-rules-short = 치킨 포커: 모두 같은 카드를 들고 라운드마다 한 장씩 동시에 공개해요. 가장 높은 카드가 점수를 다 가져가고, 점수가 가장 많으면 판돈을 가져가요.
chicken-rules = 치킨 포커: 모두 1부터 n까지의 카드를 들고 라운드마다 한 장씩 동시에 공개해요. 가장 높은 카드를 낸 사람이 공개된 카드의 합을 가져가요. 가장 높은 카드가 같으면 자리 순서대로 0번부터 번호를 매기고, 카드 숫자를 동점자 수로 나눈 나머지 번호가 가져가요. n라운드 뒤 점수가 가장 높은 사람이 판돈을 갖고, 같으면 나눠요.
chicken-rules-choice = 귓속말이나 나만 보이는 버튼으로 !play 3처럼 고르세요. 골랐다는 것만 보여요. 남은 카드는 모두에게 공개돼요. { $seconds }초 안에 고르지 않으면 가장 낮은 카드를 내요. 하우스는 먼저 골라요(그 카드의 해시는 !fair chicken). !chicken 6 50은 카드 1~6, 판돈 각자 50인 테이블을 열고, !chicken은 열린 테이블에 참가해요.

# The board
chicken-of = { $of }라운드 중 { $number }
chicken-fact-cards = 카드
chicken-fact-round = 라운드
chicken-fact-stake = 판돈
chicken-fact-pot = 모인 판돈
chicken-hand-last = { $number }라운드: { $points }점 획득, { $who }님
chicken-card-took = 점수를 가져간 카드
chicken-place = { $parts }
chicken-place-points = { $points }점
chicken-place-showed = 낸 카드 { $card }
chicken-place-holds = 남은 카드 { $hand }
chicken-place-gets = 받은 금액 { $share }
chicken-place-in = 참가함
chicken-place-off = 하지 않음
chicken-note-lobby = !chicken 입력하고 참가하세요.
chicken-note-in = 참가했어요. 시간이 다 되면 자리를 정해요.
chicken-note-round = 카드를 고르세요. 모두 공개될 때까지 아무도 볼 수 없어요. { $players }명 중 { $ready }명이 골랐어요.
chicken-note-chosen = 고른 카드: { $card }. 아직 바꿀 수 있어요.
chicken-note-over = 게임이 끝났어요.
chicken-note-off = 사람이 모자라 게임을 하지 않았어요.
chickenpoker-phase-lobby = 대기실
chickenpoker-phase-round = 카드 고르기
chicken-button-honour = 판돈 없이 참가: 카드 1~{ $cards }
chicken-button-stake = { $stake } 걸고 참가: 카드 1~{ $cards }
chicken-button-leave = 나가기
chicken-button-play = { $card } 내기

# Commands
help-chicken = 치킨 포커 테이블을 열거나 열린 테이블에 참가해요. leave를 붙이면 시작 전에 판돈을 돌려받고 나가고, rules를 붙이면 규칙을 알려 줘요.
help-play = 치킨 포커에서 이번 라운드에 낼 카드를 골라요. 예: !play 3 (귓속말 추천)
option-chicken-cards = 모두 1부터 이 수까지의 카드를 들어요
option-chicken-stake = 69, 1k, 25%, half, all 같은 금액. 0이면 판돈 없이
option-play-card = 가진 카드 하나

# Settings
setting-chickenpoker-lobby = 참가를 받는 시간(초)
setting-chickenpoker-choice = 카드를 고르는 시간(초). 지나면 가장 낮은 카드를 내요
setting-chickenpoker-starters = 테이블을 열 수 있는 가장 낮은 역할
setting-chickenpoker-cards = 따로 말하지 않을 때 카드가 몇까지 있는지
setting-chickenpoker-default_stake = 따로 말하지 않을 때의 판돈(가장 작은 판돈과 가장 큰 판돈 사이). 0이면 판돈 없이
setting-chickenpoker-min_stake = 가장 작은 판돈
setting-chickenpoker-max_stake = 가장 큰 판돈. 0이면 제한 없음
setting-chickenpoker-most_players = 한 테이블에 앉을 수 있는 사람 수. 다 차면 바로 시작해요
setting-chickenpoker-stakes = 판돈을 걸 수 있는지. 끄면 모두 판돈 없이 하고, 하우스 플레이어의 전략도 아무거나 됨
setting-chickenpoker-house_players = 판돈 없는 테이블에 함께하는 하우스 플레이어 수, 0이면 없음
setting-chickenpoker-house_fills = 판돈 없는 테이블에 이만큼 앉을 때까지 하우스 플레이어가 참가하고, 판돈이 있으면 끝까지 혼자인 사람과 한 명이 겨룸. 0이면 참가하지 않음
setting-chickenpoker-house_strategies = 하우스 플레이어의 전략: 이름을 /로 이어 쓰면 판마다 그중에서 새로 뽑음, any는 모든 전략

chicken-odds = 모두 같은 금액을 걸고, 점수가 가장 높은 사람이 판돈을 모두 가져가요. 동점이면 나눠요. 100%가 플레이어에게 돌아가고, 하우스는 아무것도 가져가지 않아요.
preset-chickenpoker-usual = 카드 6장, 한 장에 30초
preset-chickenpoker-quick = 카드 4장, 한 장에 20초
preset-chickenpoker-long = 카드 10장
preset-chickenpoker-table = 기본 판돈 50
about-chickenpoker = 치킨 포커: 모두 같은 카드를 들고, 라운드마다 한 장씩 몰래 골라 동시에 내요. 가장 높은 카드가 모든 점수를 가져가요.
example-chicken = !chicken 6 50

# 디스코드 목록에 나오는 슬래시 명령과 그 칸의 이름이에요. 띄어쓰기 없이 써요.
slash-name-chicken = 치킨포커
slash-name-play = 카드내기
slash-option-card = 카드
