# Poker Market
# No particle hangs on a number, a card or a name: those are followed by a noun of our own, or stand in brackets or behind a colon.

game-pokermarket = 포커 마켓
market-title = 포커 마켓

# The lobby
market-opened = { $who }님이 포커 마켓 테이블을 열었어요({ $terms })! 카드 다섯 장을 모두 펼쳐 놓고 { $rounds }라운드 동안 서로 바꾼 다음, 포커 족보가 높을수록 많이 받아요. { $seconds }초 안에 !market 입력하고 참가하세요.
    .text-2 = 카드 바꾸실 분? { $who }님의 포커 마켓이 열렸어요({ $terms })! 카드 다섯 장을 모두 펼쳐 놓고 { $rounds }라운드 동안 서로 바꿔요. 포커 족보가 높을수록 많이 받아요. { $seconds }초 안에 !market 입력하고 참가하세요.
market-joined = { $who }님 참가! 지금 테이블에는 { $players }명이에요.
market-you-joined = 참가했어요({ $terms }).
market-left = { $who }님이 나갔어요. 지금 테이블에는 { $players }명이에요.
market-you-left = 테이블에서 나왔어요.{ $stake ->
    [0] {""}
   *[other] {" "}판돈은 돌려받았어요.
  }
market-abandoned = 사람이 모자라 포커 마켓이 취소됐어요. 판돈은 모두 돌려드렸어요.
market-dealt = 카드를 나눴어요(차례 순서): { $hands }.
market-dealt-pot = 카드를 나눴어요(차례 순서): { $hands } · 모인 판돈: { $pot }.
market-held = { $who }님 { $cards }

# Turns
market-hands = 지금 카드: { $hands }.
market-turn = { $who }님 차례예요({ $rounds }라운드 중 { $round }라운드). !swap { $give } { $take }처럼 내 카드와 다른 사람의 카드를 바꾸자고 하거나 !pass 입력하세요. { $seconds }초 드릴게요.
market-turn-again = { $who }님 차례예요({ $rounds }라운드 중 { $round }라운드). !swap { $give } { $take }처럼 제안하거나 !pass 입력하세요. { $seconds }초 드릴게요.
market-turn-house = { $rounds }라운드 중 { $round }라운드: { $who }님 차례예요.
market-proposed-you = { $who }님의 제안, { $partner }님에게: { $give } ↔ { $take } (바꾸면 { $who }님: { $own }; { $partner }님: { $theirs }). { $partner }님, { $seconds }초 안에 !accept(수락) 아니면 !decline(거절)로 답해 주세요.
market-proposed-house = { $who }님의 제안, { $partner }님에게: { $give } ↔ { $take }.
market-accepted = { $partner }님이 { $give } ↔ { $take } 교환을 수락했어요! { $who }님: { $cards } ({ $own }); { $partner }님: { $others } ({ $theirs }).
    .text-2 = 거래 성사! { $give } ↔ { $take }. 이제 { $who }님: { $cards } ({ $own }); { $partner }님: { $others } ({ $theirs }).
market-declined = { $partner }님이 { $who }님의 { $give } ↔ { $take } 제안을 거절했어요.
    .text-2 = 거래 불발! { $partner }님이 { $who }님의 { $give } ↔ { $take } 제안을 거절했어요.
market-declined-why = { $partner }님이 { $who }님의 { $give } ↔ { $take } 제안을 거절했어요: “{ $why }”
market-declined-late = { $partner }님이 제때 답하지 않아 { $who }님의 { $give } ↔ { $take } 제안이 거절됐어요.
market-passed = { $who }님은 이번 차례를 넘겨요.
market-passed-late = { $who }님이 말이 없어 다음으로 넘어가요.
    .text-2 = { $who }님 차례는 그냥 지나갔어요.
market-reason-worse = 제 패가 나빠져요.
market-reason-overtaken = 그러면 저보다 앞서게 되잖아요.
market-reason-nothing = 제 패에는 도움이 안 돼요.
market-reason-patient = 더 좋은 제안을 기다릴래요.

# What hands are worth
market-rank = { $rank ->
    [11] J
    [12] Q
    [13] K
    [14] A
   *[other] { $rank }
  }
market-ranks = { $rank ->
    [11] J
    [12] Q
    [13] K
    [14] A
   *[other] { $rank }
  }
market-worth-high-card = { $first } 하이카드, 키커 { $second }
market-worth-pair = { $firsts } 원페어, 키커 { $second }
market-worth-two-pair = { $firsts }·{ $seconds } 투페어, 키커 { $third }
market-worth-three-of-a-kind = { $firsts } 트리플
market-worth-straight = { $first } 스트레이트
market-worth-flush = { $first } 플러시
market-worth-full-house = 풀하우스, { $firsts } 트리플에 { $seconds } 페어
market-worth-four-of-a-kind = { $firsts } 포카드
market-worth-straight-flush = { $first } 스트레이트 플러시
market-worth-royal-flush = 로열 플러시

# The end
market-ranked = 포커 마켓 마감: { $rows }.
    .text-2 = 거래 끝! 포커 마켓 마감: { $rows }.
market-ranked-pot = 포커 마켓 마감(모인 판돈 { $pot }): { $rows }.
    .text-2 = 거래 끝! 포커 마켓 마감(모인 판돈 { $pot }): { $rows }.
market-ranked-more = 이어서: { $rows }.
market-row = { $rank }위 { $who }님, { $worth } ({ $points }점)
market-row-paid = { $rank }위 { $who }님, { $worth } ({ $points }점, { $share })
market-missed = 아무도 제안하지 않은 최고의 교환: { $round }라운드, { $who }님의 { $give } ↔ { $partner }님의 { $take } (바꿨다면 { $who }님: { $own }; { $partner }님: { $theirs }).

# Refusals
market-already-in = 이미 참가했어요({ $terms }).
market-not-joined = 이 테이블에 참가하지 않았어요. !market 입력하고 참가하세요.
market-leave-too-late = 게임이 이미 시작돼서 나갈 수 없어요.
market-too-late = 이번 게임은 이미 시작했어요. 다음 게임에 참가하세요.
market-other-terms = 열린 테이블은 { $rounds }라운드예요({ $terms }). !market만 입력하면 참가돼요.
market-length = 라운드는 1부터 { $most }까지예요. 판돈만 정하려면 stake=50처럼 쓰세요.
market-word = “{ $text }”: 알 수 없는 말이에요. !market 2 50(라운드, 판돈)처럼 쓰거나 !market만 입력하세요.
market-alone = { $word } 뒤에는 아무것도 쓰지 마세요.
market-swap-usage = !swap JS 3D처럼 내 카드를 먼저, 받고 싶은 카드를 그다음에 쓰세요.
market-card = “{ $text }”: 그런 카드는 없어요. 카드는 JS, 10H, J♠처럼 숫자와 무늬로 쓰세요.
market-no-cards = 아직 펼쳐진 카드가 없어요. 카드를 나눌 때까지 기다려 주세요.
market-not-in = 이번 게임에는 참가하지 않았어요. 다음 게임에 !market 입력하고 참가하세요.
market-not-your-turn = 지금은 { $who }님 차례예요. 내 차례가 오면 제안할 수 있어요.
market-answer-first = { $who }님이 답을 기다리고 있어요: !accept(수락) 아니면 !decline(거절).
market-proposed = 이미 제안했어요. 이제 { $who }님이 답할 차례예요.
market-nothing-proposed = 답할 제안이 없어요.
market-not-for-you = 이 제안에는 { $who }님만 답할 수 있어요.
market-other-swap = 지금 받은 제안은 다른 교환이에요: { $give } ↔ { $take }.
market-not-held = { $card }: 내 카드가 아니에요. 내 카드를 먼저, 받고 싶은 카드를 그다음에 쓰세요.
market-nobody-holds = { $card }: 아무도 갖고 있지 않은 카드예요.
market-yourself = { $card }: 이미 내 카드예요. 다른 사람의 카드를 골라 주세요.
market-other-holds = { $card }: 이 카드는 { $who }님의 것이에요. 그 이름을 쓰거나 이름을 빼고 쓰세요.

# Rules
market-rules-short = 포커 마켓: 각자 카드 다섯 장을 펼쳐 놓아요. 내 차례에 카드 한 장을 바꾸자고 제안하면 상대가 받거나 거절해요. 마지막에 족보가 높을수록 판돈을 많이 받아요.
market-rules = 포커 마켓: 한 벌에서 다섯 장씩 받아 모두 펼쳐 놓아요. 내 차례에는 내 카드 한 장과 다른 사람의 카드 한 장을 바꾸자고 제안할 수 있고, 상대는 수락하거나 거절해요. 차례의 순서는 라운드마다 같아요. 마지막 라운드가 끝나면 키커까지 따져 포커 족보로 순위를 매기고, 키커까지 같다면 차례가 뒤인 사람이 앞서요. 4명이라면 1위 4점, 꼴찌 1점이고, 판돈은 점수에 비례해 나눠요.
market-rules-turn = !market 2 50은 2라운드, 판돈 각자 50인 테이블을 열고, !market은 열린 테이블에 참가해요. 여기서 따로 말하지 않으면 { $rounds }라운드예요. 내 차례에는 !swap JS 3D(내 카드, 상대 카드) 아니면 !pass, 제안에는 !accept 아니면 !decline. 10은 10이나 T로 써요. { $turn }초 안에 제안하지 않으면 차례가 넘어가고, { $answer }초 안에 답하지 않으면 거절이에요.

# The board
market-of = { $of }라운드 중 { $number }
market-fact-round = 라운드
market-fact-rounds = 라운드 수
market-fact-stake = 판돈
market-fact-pot = 모인 판돈
market-held-by = { $card } { $who }님
market-place = 지금 패로 { $points }점
market-place-turn = 지금 패로 { $points }점; 제안할 차례
market-place-answer = 지금 패로 { $points }점; 답할 차례
market-place-over = { $points }점
market-place-paid = { $points }점, 받은 금액 { $share }
market-card-offered = 교환 제안 중인 카드
market-card-swapped = 방금 바꾼 카드
market-place-in = 참가함
market-place-off = 하지 않음
market-note-lobby = !market 입력하고 참가하세요.
market-note-in = 참가했어요. 시간이 다 되면 카드를 나눠요.
market-note-turn = { $who }님 차례예요.
market-note-yours = 내 차례예요. 내 카드 한 장과 다른 사람의 카드 한 장을 바꾸자고 제안하거나(예: !swap { $give } { $take }) !pass 입력하세요.
market-note-proposed = { $who }님의 제안, { $partner }님에게: { $give } ↔ { $take } (바꾸면 { $who }님: { $own }; { $partner }님: { $theirs }).
market-note-asked = { $who }님의 제안: { $give } ↔ 내 { $take } (바꾸면 나: { $theirs }; { $who }님: { $own }). !accept(수락) 아니면 !decline(거절)로 답해 주세요.
market-note-over = 포커 마켓이 끝났어요.
market-note-off = 사람이 모자라 게임을 하지 않았어요.
pokermarket-phase-lobby = 대기실
pokermarket-phase-turn = 교환 제안하기
pokermarket-phase-answer = 제안에 답하기
market-button-honour = 판돈 없이 참가: { $rounds }라운드
market-button-stake = { $stake } 걸고 참가: { $rounds }라운드
market-button-leave = 나가기
market-button-swap = { $give } ↔ { $take }
market-button-swap-with = { $give } ↔ { $take } ({ $who }님)
market-button-accept = 수락
market-button-decline = 거절
market-button-pass = 넘기기

# Commands
help-market = 포커 마켓 테이블을 열거나 열린 테이블에 참가해요. leave를 붙이면 시작 전에 판돈을 돌려받고 나가고, rules를 붙이면 규칙을 알려 줘요.
help-swap = 포커 마켓의 내 차례에 내 카드와 다른 사람의 카드를 바꾸자고 제안해요. 예: !swap JS 3D
slash-swap = 포커 마켓의 내 차례에 내 카드와 다른 사람의 카드를 바꾸자고 제안해요.
help-accept = 포커 마켓에서 나에게 온 교환 제안을 수락해요.
help-decline = 포커 마켓에서 나에게 온 교환 제안을 거절해요.
help-pass = 포커 마켓에서 내 차례를 넘겨요.
option-market-rounds = 모두에게 차례가 몇 번씩 돌아오는지
option-market-stake = 69, 1k, 25%, half, all 같은 금액. 0이면 판돈 없이
option-swap-give = 내놓을 내 카드(예: JS)
option-swap-take = 받고 싶은 카드(예: 3D)
option-swap-partner = 그 카드를 가진 사람. 빼도 돼요

# Settings
unit-rounds = 라운드
setting-pokermarket-lobby = 참가를 받는 시간(초)
setting-pokermarket-turn = 교환을 제안하는 시간(초). 지나면 차례가 넘어가요
setting-pokermarket-answer = 제안에 답하는 시간(초). 지나면 거절이에요
setting-pokermarket-starters = 테이블을 열 수 있는 가장 낮은 역할
setting-pokermarket-rounds = 따로 말하지 않을 때의 라운드 수
setting-pokermarket-default_stake = 따로 말하지 않을 때의 판돈(가장 작은 판돈과 가장 큰 판돈 사이). 0이면 판돈 없이
setting-pokermarket-min_stake = 가장 작은 판돈
setting-pokermarket-max_stake = 가장 큰 판돈. 0이면 제한 없음
setting-pokermarket-most_players = 한 테이블에 앉을 수 있는 사람 수. 다 차면 바로 시작해요
setting-pokermarket-stakes = 판돈을 걸 수 있는지. 끄면 모두 판돈 없이 하고, 하우스 플레이어의 전략도 아무거나 됨
setting-pokermarket-house_players = 판돈 없는 테이블에 함께하는 하우스 플레이어 수, 0이면 없음
setting-pokermarket-house_fills = 판돈 없는 테이블에 이만큼 앉을 때까지 하우스 플레이어가 참가하고, 판돈이 있으면 끝까지 혼자인 사람과 한 명이 겨룸. 0이면 참가하지 않음
setting-pokermarket-house_strategies = 하우스 플레이어의 전략: 이름을 /로 이어 쓰면 판마다 그중에서 새로 뽑음, any는 모든 전략

market-odds = 모두 같은 금액을 걸고, 판돈은 점수에 비례해 나눠요. 100%가 플레이어에게 돌아가고, 하우스는 아무것도 가져가지 않아요.
preset-pokermarket-usual = 2라운드
preset-pokermarket-quick = 1라운드, 짧은 시간
preset-pokermarket-long = 5라운드
preset-pokermarket-table = 기본 판돈 50
about-pokermarket = 포커 마켓: 다른 사람과 카드를 맞바꾸고, 더 좋은 패가 판돈을 가져가요.
example-market = !market 2 50
blank-rounds = 라운드수

# 디스코드 목록에 나오는 슬래시 명령과 그 칸의 이름이에요. 띄어쓰기 없이 써요.
slash-name-market = 포커마켓
slash-name-swap = 교환제안
slash-name-accept = 수락
slash-name-decline = 거절
slash-name-pass = 넘기기
slash-option-rounds = 라운드수
slash-option-give = 줄카드
slash-option-take = 받을카드
slash-option-partner = 상대
